import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { root } from '../home.ts';
import { doors, type Opened, readDoor, typesPath } from './door.ts';
import { type Declared, type DeclaredModule, type Origin, readModules, type Use } from './modules.ts';

/** Something that the package exports, or that what it exports is made of. */
export interface ApiEntry {
  readonly name: string;
  /** The path of the door that exports it; undefined for what none exports. */
  readonly door: string | undefined;
  /** The heading of the door that it stands below; undefined for what no door exports. */
  readonly section: string | undefined;
  readonly isType: boolean;
  readonly doc: string;
  /** Its declarations: several where a function has several forms. */
  readonly texts: readonly string[];
}

/** All that a program can see of the package. */
export interface Api {
  readonly entries: readonly ApiEntry[];
  /** The types of Node.js that they use, each as `node:crypto KeyObject`. */
  readonly nodeTypes: readonly string[];
}

/** Types that functions of the package make, and that other functions take: what is inside of them is nobody else's. */
const opaque: ReadonlySet<string> = new Set(['ClusterTarget', 'ImageDelivery']);

/** Reads what the doors export, and everything that this is made of. Throws where a type is of another package. */
export function readApi(): Api {
  const paths = [...Object.values(doors), typesPath];
  const opened = paths.flatMap((path) => readDoor(path, readFileSync(join(root, path), 'utf8')));
  return apiOf(opened, readModules());
}

/** Puts together what the doors open and the declarations of all modules. */
export function apiOf(opened: readonly Opened[], modules: ReadonlyMap<string, DeclaredModule>): Api {
  const names = new Map<string, string>();
  const found = new Map<string, Found>();
  const nodeTypes = new Set<string>();
  const add = (origin: Origin, exported?: Opened): Found => {
    const at = followed(modules, origin);
    const key = keyOf(at);
    const before = found.get(key);
    if (before) return before;
    const declared = modules.get(at.module)?.declared.get(at.name) ?? [];
    if (declared.length === 0) throw new Error(`${at.name} of ${at.module} is not declared where it should be`);
    const shown = opaque.has(at.name) ? declared.map(closed) : declared;
    const later = exported?.isLater ? modules.get(exported.door)?.declared.get(exported.exported) : undefined;
    const entry: Found = { at, exported, declared, shown: later ?? shown, in: later ? exported!.door : at.module };
    found.set(key, entry);
    names.set(key, exported?.exported ?? at.name);
    return entry;
  };
  for (const one of opened) add(one, one);
  // A map goes on to those that are added while it is walked through.
  for (const entry of found.values()) {
    for (const { local } of entry.shown.flatMap(({ uses }) => uses)) {
      const origin = originOf(modules, entry.in, local);
      if (origin?.module.startsWith('node:')) nodeTypes.add(`${origin.module} ${origin.name}`);
      else if (origin) add(origin);
    }
  }
  requireDistinct(names);
  const nameOf = (module: string, local: Use['local']): string | undefined => {
    const origin = originOf(modules, module, local);
    return origin && names.get(keyOf(origin));
  };
  const entries = [...found.values()].map((entry) => entryOf(entry, (local) => nameOf(entry.in, local)));
  return { entries, nodeTypes: [...nodeTypes].sort() };
}

/** A type of which is seen only that it is not another one. */
function closed({ name, doc, text }: Declared): Declared {
  const base = text.includes('extends AsyncDisposable') ? ' extends AsyncDisposable' : '';
  return { name, doc, text: `interface ${name}${base} {\n    readonly [made]: '${name}';\n}`, uses: [] };
}

interface Found {
  readonly at: Origin;
  readonly exported: Opened | undefined;
  readonly declared: readonly Declared[];
  /** What is printed: of what is loaded later, the promise of it. */
  readonly shown: readonly Declared[];
  /** Where what is printed stands. */
  readonly in: string;
}

function entryOf(
  { at, exported, declared, shown }: Found,
  nameOf: (local: Use['local']) => string | undefined,
): ApiEntry {
  return {
    name: exported?.exported ?? at.name,
    door: exported?.door,
    section: exported?.section,
    isType: exported?.isType ?? true,
    doc: declared.find(({ doc }) => doc !== '')?.doc ?? '',
    texts: shown.map((one) => asFunction(renamed(one, nameOf))),
  };
}

/** Follows a name through modules that hand it on, to the one that declares it. */
function followed(modules: ReadonlyMap<string, DeclaredModule>, origin: Origin): Origin {
  const module = modules.get(origin.module);
  if (module === undefined || module.declared.has(origin.name)) return origin;
  const next = module.imported.get(origin.name);
  return next === undefined ? origin : followed(modules, next);
}

/** Returns what a name in a module stands for; undefined for what needs no import. Throws for what is a package's. */
function originOf(
  modules: ReadonlyMap<string, DeclaredModule>,
  module: string,
  local: Use['local'],
): Origin | undefined {
  const { declared, imported } = modules.get(module)!;
  const named =
    typeof local === 'string' ? (declared.has(local) ? { module, name: local } : imported.get(local)) : local;
  const origin = named && followed(modules, named);
  if (origin === undefined || modules.has(origin.module) || origin.module.startsWith('node:')) return origin;
  throw new Error(`${module} shows ${origin.name} of ${origin.module}, which no user of the package has to have`);
}

function keyOf({ module, name }: Origin): string {
  return `${module}#${name}`;
}

function requireDistinct(names: ReadonlyMap<string, string>): void {
  const seen = new Map<string, string>();
  for (const [key, name] of names) {
    const other = seen.get(name);
    if (other !== undefined) throw new Error(`${key} and ${other} would have one name in the package`);
    seen.set(name, key);
  }
}

function renamed({ text, uses }: Declared, nameOf: (local: Use['local']) => string | undefined): string {
  let out = text;
  for (const { start, end, local } of [...uses].sort((a, b) => b.start - a.start)) {
    const name = nameOf(local);
    if (name !== undefined) out = `${out.slice(0, start)}${name}${out.slice(end)}`;
  }
  return out;
}

/** Writes `const a: (b: B) => C` as `function a(b: B): C`. */
function asFunction(text: string): string {
  const [statement] = parseSync('entry.d.ts', `declare ${text}`).program.body;
  if (statement?.type !== 'VariableDeclaration') return text;
  const [{ id } = { id: undefined }] = statement.declarations;
  const type = id?.type === 'Identifier' ? id.typeAnnotation?.typeAnnotation : undefined;
  if (id?.type !== 'Identifier' || type?.type !== 'TSFunctionType' || !type.returnType) return text;
  const source = `declare ${text}`;
  const head = source.slice(type.start, type.returnType.start).trimEnd();
  const result = type.returnType.typeAnnotation;
  // What takes its request apart has no name for it.
  return `function ${id.name}${head}: ${source.slice(result.start, result.end)};`.replace('given_0:', 'request:');
}
