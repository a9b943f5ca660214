import { type Comment, parseSync } from 'oxc-parser';
import { laterOf } from './later.ts';
import { moduleNamed, type Origin } from './modules.ts';

/** A name that a door of the package exports. */
export interface Opened extends Origin {
  /** The path of that door. */
  readonly door: string;
  /** As the door calls it. */
  readonly exported: string;
  /** The line `// …` that it stands below. */
  readonly section: string;
  /** Whether it is a type, which is gone at run time. */
  readonly isType: boolean;
  /** Whether it is a function that loads its module when it is called. */
  readonly isLater: boolean;
}

/** The doors of the package by the names under which programs import them: `solpack`, `solpack/parts`. */
export const doors: Readonly<Record<string, string>> = { solpack: 'lib/index.ts', 'solpack/parts': 'lib/parts.ts' };

/** The path of the types that both doors export. */
export const typesPath = 'lib/types.ts';

/** Lists what the door at `path`, or the file of the types, exports by name, in its order. */
export function readDoor(path: string, source: string): Opened[] {
  const { program, comments } = parseSync(path, source);
  const opened: Opened[] = [];
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration') continue;
    const section = sectionAt(comments, statement.start);
    if (statement.source !== null) {
      const module = moduleNamed(path, statement.source.value);
      for (const { local, exported, exportKind } of statement.specifiers) {
        const isType = statement.exportKind === 'type' || exportKind === 'type';
        const [name, as] = [local, exported].map((one) => ('name' in one ? one.name : one.value)) as [string, string];
        opened.push({ door: path, module, name, exported: as, section, isType, isLater: false });
      }
    } else if (statement.declaration?.type === 'VariableDeclaration') {
      for (const declarator of statement.declaration.declarations) {
        const later = laterOf(declarator);
        if (!later || declarator.id.type !== 'Identifier') throw new Error(`${path} declares something of its own`);
        const module = moduleNamed(path, later.specifier);
        opened.push({
          door: path,
          module,
          name: later.member,
          exported: declarator.id.name,
          section,
          isType: false,
          isLater: true,
        });
      }
    }
  }
  return opened;
}

function sectionAt(comments: readonly Comment[], start: number): string {
  const before = comments.filter(({ type, end }) => type === 'Line' && end <= start).at(-1);
  return before?.value.trim() ?? '';
}
