import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { type Comment, type Node, parseSync, type Statement, Visitor } from 'oxc-parser';
import { root } from '../home.ts';

/** Where a name comes from: another module of the library, or a package. */
export interface Origin {
  /**
   * Path from the top of the checkout, such as `lib/flows/pack/index.ts`; the name of a package for what is not ours.
   */
  readonly module: string;
  readonly name: string;
}

/** A name that a declaration uses, with where it stands in the text. */
export interface Use {
  readonly start: number;
  readonly end: number;
  readonly local: Origin | string;
}

/** A declaration as the compiler writes it into a `.d.ts`. */
export interface Declared {
  readonly name: string;
  /** Its docstring, with `/**`; '' where it has none. */
  readonly doc: string;
  /** From its keyword on, without `export` and `declare`. */
  readonly text: string;
  readonly uses: readonly Use[];
}

/** What one module of the library declares and hands on. */
export interface DeclaredModule {
  readonly declared: ReadonlyMap<string, readonly Declared[]>;
  /** What its own names, and those that it exports, stand for. */
  readonly imported: ReadonlyMap<string, Origin>;
}

/** Lets the compiler write the declarations of everything that the door leads to, and reads them. */
export function readModules(): ReadonlyMap<string, DeclaredModule> {
  const folder = mkdtempSync(join(tmpdir(), 'solpack-declarations-'));
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const project = join(import.meta.dirname, 'tsconfig.json');
    execFileSync(process.execPath, [tsc, '-p', project, '--outDir', folder], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    return new Map(
      globSync('**/*.d.ts', { cwd: folder }).map((path) => {
        const module = path.replace(/\.d\.ts$/, '.ts');
        return [module, moduleOf(module, readFileSync(join(folder, path), 'utf8'))];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Reads the declarations of the module at `path`. */
export function moduleOf(path: string, source: string): DeclaredModule {
  const { program, comments } = parseSync(path.replace(/\.ts$/, '.d.ts'), source);
  const declared = new Map<string, Declared[]>();
  const imported = new Map<string, Origin>();
  const origin = (specifier: string, name: string): Origin => ({ module: moduleNamed(path, specifier), name });
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') {
      for (const one of statement.specifiers) {
        const name = one.type === 'ImportSpecifier' ? textOf(one.imported) : '*';
        imported.set(one.local.name, origin(statement.source.value, name));
      }
    } else if (statement.type === 'ExportNamedDeclaration' && statement.source !== null) {
      for (const { local, exported } of statement.specifiers) {
        imported.set(textOf(exported), origin(statement.source.value, textOf(local)));
      }
    } else {
      for (const one of declaredBy(statement, source, path)) {
        const doc = docBefore(comments, source, statement.start);
        declared.set(one.name, [...(declared.get(one.name) ?? []), { ...one, doc }]);
      }
    }
  }
  return { declared, imported };
}

/** The path of the module that `specifier` names in the module at `path`. */
export function moduleNamed(path: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier;
}

function declaredBy(statement: Statement, source: string, path: string): Omit<Declared, 'doc'>[] {
  const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  if (node === null || !('id' in node || node.type === 'VariableDeclaration')) return [];
  const ids = node.type === 'VariableDeclaration' ? node.declarations.map(({ id }) => id) : [node.id];
  const [id] = ids;
  if (ids.length !== 1 || id?.type !== 'Identifier') throw new Error(`${path}: a declaration has no name of its own`);
  const words = source.slice(node.start, node.end);
  const start = node.start + (words.length - words.replace(/^declare /, '').length);
  return [{ name: id.name, text: source.slice(start, node.end), uses: usesIn(node, source, start, path) }];
}

/** Finds the names of types in a declaration that are not its own parameters. */
function usesIn(node: Node, source: string, start: number, path: string): Use[] {
  const uses: Use[] = [];
  const use = (found: Node, local: Origin | string): void => {
    uses.push({ start: found.start - start, end: found.end - start, local });
  };
  const named = (found: Node): void => {
    const first = found.type === 'TSQualifiedName' || found.type === 'MemberExpression' ? undefined : found;
    if (first?.type === 'Identifier') use(first, first.name);
    else if (found.type === 'TSQualifiedName') named(found.left);
    else if (found.type === 'MemberExpression') named(found.object);
  };
  const visitor = new Visitor({
    TSTypeReference: ({ typeName }) => named(typeName),
    TSTypeQuery: ({ exprName }) => named(exprName),
    TSInterfaceHeritage: ({ expression }) => named(expression),
    TSClassImplements: ({ expression }) => named(expression),
    ClassDeclaration: ({ superClass }) => superClass && named(superClass),
    TSImportType: (found) => {
      const { qualifier } = found;
      if (qualifier?.type !== 'Identifier')
        throw new Error(`${path}: a type is imported in a way that is not read here`);
      const name = { module: moduleNamed(path, found.source.value), name: qualifier.name };
      uses.push({ start: found.start - start, end: qualifier.end - start, local: name });
    },
  });
  visitor.visit({
    type: 'Program',
    body: [node],
    sourceType: 'module',
    hashbang: null,
    start: 0,
    end: source.length,
  } as never);
  return uses;
}

function docBefore(comments: readonly Comment[], source: string, start: number): string {
  const doc = comments.find(
    ({ type, value, end }) =>
      type === 'Block' && value.startsWith('*') && end <= start && source.slice(end, start).trim() === '',
  );
  return doc === undefined ? '' : `/*${doc.value}*/`;
}

function textOf(name: { readonly type: string }): string {
  return name.type === 'Literal'
    ? String((name as { value?: unknown }).value)
    : String((name as { name?: unknown }).name);
}
