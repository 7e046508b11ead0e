import { type ClassReport, type Installed, reportOn } from './class-report';
import { loadClasses } from './load-classes';

/** A report from the process. */
export interface ClassesMessage {
  readonly reports: readonly ClassReport[];
  /** The files or classes that could not be loaded or read. */
  readonly failures: readonly string[];
}

/**
 * Loads the classes in a folder and sends a {@link ClassesMessage} to the parent process. Runs in a separate process, because
 * loading the program's files must not end the command.
 */
export async function reportClasses(folder: string, installed: Installed): Promise<void> {
  const { classes, failures } = await loadClasses(folder);
  const reports: ClassReport[] = [];
  const unread = [...failures];
  for (const type of classes) {
    try {
      reports.push(reportOn(type, installed));
    } catch (error) {
      unread.push(`${type.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  process.send?.({ reports, failures: unread } satisfies ClassesMessage);
}
