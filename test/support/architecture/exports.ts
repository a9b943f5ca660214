import { posix } from 'node:path';
import type { BindingPattern, Declaration, ModuleExportName } from 'oxc-parser';
import { type Later, laterOf } from '../../../scripts/package/later.ts';
import { parsed, type Sources } from './code.ts';

/** A name that a source exports. */
export interface Exported {
  readonly name: string;
  /** Where it is declared. */
  readonly file: string;
  /** Whether a docstring stands before its declaration. */
  readonly documented: boolean;
}

/** Finds every name that `path` exports, directly or from elsewhere, without a docstring where it is declared. */
export function undocumented(sources: Sources, path: string): string[] {
  return exportsOf(sources, path)
    .filter(({ documented }) => !documented)
    .map(({ file, name }) => `${name} of ${file}`);
}

/** Lists what a source exports, each name followed to its declaration. */
export function exportsOf(sources: Sources, path: string): Exported[] {
  const source = sources.get(path) ?? '';
  const elsewhere = parsed(source).program.body.flatMap((statement) => {
    if (statement.type === 'ExportAllDeclaration') return exportsOf(sources, beside(path, statement.source.value));
    if (statement.type !== 'ExportNamedDeclaration') return [];
    if (statement.source === null) return laterIn(statement.declaration).map((later) => followed(sources, path, later));
    const file = beside(path, statement.source.value);
    const all = exportsOf(sources, file);
    return statement.specifiers.map(({ local }) => {
      const name = textOf(local);
      return all.find((entry) => entry.name === name) ?? { name, file, documented: false };
    });
  });
  return [...declaredIn(path, source), ...elsewhere];
}

/** Finds what a function of the door leads to: whether that is documented, and where it is declared. */
function followed(sources: Sources, path: string, { specifier, member }: Later): Exported {
  const file = beside(path, specifier);
  return exportsOf(sources, file).find(({ name }) => name === member) ?? { name: member, file, documented: false };
}

function laterIn(declaration: Declaration | null): Later[] {
  if (declaration?.type !== 'VariableDeclaration') return [];
  return declaration.declarations.flatMap((declarator) => laterOf(declarator) ?? []);
}

/** Lists what a source declares and exports at once: not what it loads from elsewhere when it is called. */
export function declaredIn(file: string, source: string): Exported[] {
  const { program, comments } = parsed(source);
  const docs = comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'));
  return program.body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration' || statement.declaration === null) return [];
    if (laterIn(statement.declaration).length > 0) return [];
    const documented = docs.some(
      ({ end }) => end <= statement.start && source.slice(end, statement.start).trim() === '',
    );
    return namesOf(statement.declaration).map((name) => ({ name, file, documented }));
  });
}

function namesOf(declaration: Declaration): string[] {
  if (declaration.type === 'VariableDeclaration') return declaration.declarations.flatMap(({ id }) => bound(id));
  return 'id' in declaration && declaration.id?.type === 'Identifier' ? [declaration.id.name] : [];
}

function bound(pattern: BindingPattern): string[] {
  if (pattern.type === 'Identifier') return [pattern.name];
  throw new Error(`an exported name is declared by a pattern (${pattern.type}), which no check reads yet`);
}

function textOf(name: ModuleExportName): string {
  return name.type === 'Literal' ? name.value : name.name;
}

function beside(path: string, specifier: string): string {
  return posix.join(posix.dirname(path), specifier);
}
