export { addressedMembers, type AddressedMember } from './audiences/addressed-members';
export { Accept, acceptedFrom } from './audiences/accept';
export {
  asCaller,
  audienceNames,
  type Audience,
  type AudienceCaller,
  type OwnerAudience,
  registerAudiences,
  type RequestAudience,
} from './audiences/audience';
export { audienceFaults } from './audiences/audience-findings';
export { Expose, type ExposeToOptions, OwnedBy } from './audiences/expose';
export { closedWriters, type WriterOf } from './audiences/writers-by-caller';
export type { ResponseChoice } from './response/response-choice';
export { responseSchema, type ReferResponse } from './response/response-schema';
export type { Describe } from './descriptions';
export { ErrorResponses, type ProblemClass } from './error-responses';
export { type CodePlace, CodePlaces } from './findings/code-place';
export { ContractError, type ContractFinding, onOneLine } from './findings/contract-error';
export { findingsPage } from './findings/findings-page';
export { untypedMembers } from './findings/untyped-members';
export { routeFaults, shadowedRoutes } from './findings/shadowed-routes';
export { type InputType, inputSchema, type Refer as ReferInput } from './input/input-schema';
export { asResponseVariant } from './response/response-variants';
export { asInputVariant } from './input/input-variants';
export type { InputVariant, Variant } from './input/variant';
export { compareExposures } from './lock/compare-exposures';
export { type Exposure, exposureOf } from './lock/exposure';
export { fieldsOfAudience, type RouteFields } from './lock/fields-of-audience';
export { addToProblemLock, brokenCodes, problemLockOf } from './lock/problem-lock';
export { routeLines, routesTable } from './lock/routes-table';
export { problemsOf } from './problems';
export { type RuleCodes, ruleCodesOf } from './rule-codes';
export type { Exchange } from './described/assert-described';
export { loadResponseCheck } from './described/load-response-check';
export { openApiDocument, type OpenApiDocument } from './openapi/document';
export { exampleOf } from './examples/example';
export {
  checkStatuses,
  type ErrorBody,
  type ErrorForm,
  type OwnErrors,
  problemIn,
  type SentError,
} from './error-form';
export { checkDeprecation, type Deprecation, deprecationFields } from './deprecation';
export { declaredRate, RateLimit } from './rate-limit';
export { inSection, isLibraryController, Tag } from './tags';
export type { UploadRule } from './upload-rule';
export type { DescribedResponse, RouteCallers, RouteDescription, RouteInput } from './route-description';
export { inputFaults } from './input-findings/input-faults';
export { parameterFindings } from './input-findings/parameter-findings';
export type { RouteParameter } from './input-findings/route-parameter';
export { InvalidInputError, UncheckedInputError } from './input-problems/errors';
export {
  fixedCodes,
  type Problem,
  type RuleCode,
  ruleCodes,
  unknownField,
} from './input-problems/input-problems';
export { invalidInput } from './input-problems/invalid-input';
export { bindSerialization, isResponseHook, responseWriterOf } from './routes/bind-serialization.discovery';
export { assertBoundSerialization, responsesLeftToLibrary } from './routes/binding.discovery';
export { assertCheckedInput } from './routes/checked-input.discovery';
export { Body, type BodyOptions } from './routes/body.decorator';
export { maskInput, restrictsInput } from './routes/mask-input';
export { InputPipe } from './routes/input.pipe';
export { declaredResponse } from './routes/declared-response.discovery';
export { parametersOf } from './routes/parameters.discovery';
export { responseFindings } from './routes/response-findings.discovery';
export { Returns } from './routes/returns.decorator';
export type { DeclaredResponse, RouteResponse } from './routes/route-response';
export type { RowOf } from './routes/row-of';
export { ById } from './rules/by-id';
export { IsCalendarDate } from './rules/calendar-date';
export { readDigits } from './rules/digits';
export { IfGiven } from './rules/if-given';
export { IsJsonObject, type JsonLimits } from './rules/json-object';
export { IsMoment, readMoment } from './rules/moment';
export { NoControlCharacters } from './rules/no-control-characters';
export { NoLongerThan } from './rules/no-longer-than';
export { NoMoreThan } from './rules/no-more-than';
export { RowId } from './rules/row-id';
export { TrueOrFalse } from './rules/true-or-false';
export { WholeNumber } from './rules/whole-number';
export { type PropertySchema, Schema, schemaOf } from './schema';
export type { SenderSignature } from './sender-signature';
