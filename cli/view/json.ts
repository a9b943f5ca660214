import type { z } from 'zod';
import { approvalSchemas } from './json-approval.ts';
import { archiveSchemas } from './json-archive.ts';
import { configureSchemas } from './json-configure.ts';
import { definitionSchemas } from './json-define.ts';
import { doctorSchemas } from './json-doctor.ts';
import { errorSchemas } from './json-error.ts';
import { generationSchemas } from './json-generations.ts';
import { writtenSchemas } from './json-images.ts';
import { installSchemas } from './json-install.ts';
import { loadSchemas } from './json-load.ts';
import { mirrorSchemas } from './json-mirrors.ts';
import { mountSchemas } from './json-mount.ts';
import { presenceSchemas } from './json-presence.ts';
import { progressSchemas } from './json-progress.ts';
import { registrySchemas } from './json-registry.ts';
import { renderedSchemas } from './json-rendered.ts';
import { resolveSchemas } from './json-resolve.ts';
import { rightsSchemas } from './json-rights.ts';
import { scanSchemas } from './json-scan.ts';
import { shellSchemas } from './json-shell.ts';
import { supportSchemas } from './json-support.ts';
import { trustSchemas } from './json-trust.ts';

/**
 * The shape of what each command prints with `--json`. `docs/schemas/` is made from it, and the types of it are what
 * commands may print; they load none of it, because that would delay their start.
 */
export const jsonSchemas = {
  ...definitionSchemas,
  ...renderedSchemas,
  ...generationSchemas,
  ...approvalSchemas,
  ...presenceSchemas,
  ...mirrorSchemas,
  ...archiveSchemas,
  ...writtenSchemas,
  ...trustSchemas,
  ...mountSchemas,
  ...registrySchemas,
  ...installSchemas,
  ...progressSchemas,
  ...loadSchemas,
  ...configureSchemas,
  ...supportSchemas,
  ...resolveSchemas,
  ...rightsSchemas,
  ...scanSchemas,
  ...doctorSchemas,
  ...shellSchemas,
  ...errorSchemas,
} as const;

/** A value that nobody changes, as results are. */
export type Fixed<T> = T extends readonly (infer Item)[]
  ? readonly Fixed<Item>[]
  : T extends object
    ? FixedFields<T>
    : T;
type FixedFields<T> = { readonly [Key in keyof T]: Fixed<T[Key]> };

/** A shape without the version of its schema. */
type Unversioned<T> = T extends unknown ? Omit<T, 'schemaVersion'> : never;

/** The result of each command as `--json` prints it. */
export type JsonResults = {
  readonly [Command in keyof typeof jsonSchemas]: Fixed<Unversioned<z.infer<(typeof jsonSchemas)[Command]>>>;
};
