/** Who acts and from which address, for the audit log. */
export interface Operator {
  readonly actorId?: number;
  readonly ip?: string;
}
