import { type Comment, parseSync } from 'oxc-parser';
import { laterOf } from './later.ts';
import { moduleNamed, type Origin } from './modules.ts';

/** A name that the door exports. */
export interface Opened extends Origin {
  /** As the door calls it. */
  readonly exported: string;
  /** The line `// …` that it stands below. */
  readonly section: string;
  /** Whether it is a type, which is gone at run time. */
  readonly isType: boolean;
  /** Whether it is a function that loads its module when it is called. */
  readonly isLater: boolean;
}

/** The path of the door. */
export const doorPath = 'lib/index.ts';

/** The path of the types that the door exports. */
export const typesPath = 'lib/types.ts';

/** Lists what the door, or the file of its types, exports by name, in its order. */
export function readDoor(source: string): Opened[] {
  // Both lie in the same folder.
  const { program, comments } = parseSync(doorPath, source);
  const opened: Opened[] = [];
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration') continue;
    const section = sectionAt(comments, statement.start);
    if (statement.source !== null) {
      const module = moduleNamed(doorPath, statement.source.value);
      for (const { local, exported, exportKind } of statement.specifiers) {
        const isType = statement.exportKind === 'type' || exportKind === 'type';
        const [name, as] = [local, exported].map((one) => ('name' in one ? one.name : one.value)) as [string, string];
        opened.push({ module, name, exported: as, section, isType, isLater: false });
      }
    } else if (statement.declaration?.type === 'VariableDeclaration') {
      for (const declarator of statement.declaration.declarations) {
        const later = laterOf(declarator);
        if (!later || declarator.id.type !== 'Identifier') throw new Error(`${doorPath} declares something of its own`);
        const module = moduleNamed(doorPath, later.specifier);
        opened.push({
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
