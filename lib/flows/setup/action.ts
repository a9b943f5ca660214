import { dirname, join } from 'node:path';
import { type FileFormat, SCHEMA_FOLDER, STORE_FOLDER, schemaFile } from '../../../formats/document/schema-line.ts';

/** One thing that `setup` does to a machine, as data. Paths are absolute. */
export type SetupAction =
  | { readonly kind: 'folder'; readonly path: string }
  /** Has `text` in a file. One that somebody else has written is never replaced; with `begin`, it stays as it is. */
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly text: string;
      readonly what: string;
      readonly begin?: boolean;
      /** Its mode; left out, everybody may read it. */
      readonly mode?: number;
      /** What to do where somebody else has written that file. */
      readonly instead?: string;
    }
  /** Has the schema of a format beside the file at `path`, for editors. */
  | { readonly kind: 'schema'; readonly path: string; readonly format: FileFormat }
  /** Copies an executable. */
  | { readonly kind: 'program'; readonly path: string; readonly from: string }
  /**
   * Sets a key of a TOML file to what is written there, or removes it; with `member`, has that string in the list that
   * the key is. `base` is what a file begins with that is not there.
   */
  | {
      readonly kind: 'setting';
      readonly path: string;
      readonly key: string;
      readonly written?: string;
      readonly member?: string;
      readonly base?: string;
    }
  /** Has systemd run a unit, now and at each start. */
  | { readonly kind: 'service'; readonly unit: string };

/** An action, and its result. */
export interface SetupStep {
  readonly kind: Exclude<SetupAction['kind'], 'schema'>;
  /** The path, or the unit. */
  readonly subject: string;
  /** What a person reads about it. */
  readonly what: string;
  /** `there` is what was so already; `kept` is what was not taken back, because somebody has changed it. */
  readonly state: 'to do' | 'done' | 'there' | 'to take back' | 'taken back' | 'kept';
}

/** Says what an action is about, as `subject` and `what` of its step. */
export function setupWords(action: SetupAction): Pick<SetupStep, 'kind' | 'subject' | 'what'> {
  if (action.kind === 'schema') return { kind: 'file', subject: schemaBeside(action), what: 'schema for editors' };
  const { kind } = action;
  switch (action.kind) {
    case 'folder':
      return { kind, subject: action.path, what: 'folder' };
    case 'file':
      return { kind, subject: action.path, what: action.what };
    case 'program':
      return { kind, subject: action.path, what: `copy of ${action.from}` };
    case 'setting':
      return {
        kind,
        subject: action.path,
        what: settingWords(action),
      };
    case 'service':
      return { kind, subject: action.unit, what: 'service, from now on and at each start' };
  }
}

/** Returns where the schema of a file is. */
export function schemaBeside({ path, format }: Extract<SetupAction, { kind: 'schema' }>): string {
  return join(dirname(path), STORE_FOLDER, SCHEMA_FOLDER, schemaFile(format));
}

function settingWords({ key, written, member }: Extract<SetupAction, { kind: 'setting' }>): string {
  if (member !== undefined) return `${key} has ${member}`;
  return written === undefined ? `no ${key}` : `${key} = ${written}`;
}
