import { type Document, isScalar, type ParsedNode, parseDocument, visit } from 'yaml';
import { type Locate, locateProblems } from '../document/fields.ts';
import type { Problem } from '../document/problems.ts';
import { PositionedError } from '../error.ts';
import { kubernetesScalars } from '../manifest/scalars.ts';
import { type FailAt, soundTokens } from '../manifest/yaml.ts';
import { yamlExtent } from '../manifest/yaml-fields.ts';
import { yamlWords } from '../manifest/yaml-words.ts';
import { TextLines } from '../text-lines.ts';

const CODE = 'yaml-invalid';

/**
 * Most fields of a document. Each becomes a syntax tree of a hundred times its size, and tenants of a cluster may write
 * some.
 */
const FIELDS = 20_000;

/** The text of a SolutionsConfiguration, read as YAML 1.1, which MetalK8s reads it as. */
export interface ConfigurationSource {
  readonly document: Document.Parsed;
  readonly value: unknown;
  /** Makes the error about some of its fields. */
  readonly refuse: (problems: readonly Problem[]) => PositionedError;
}

/** Reads the text of a SolutionsConfiguration, whatever it says. Throws `FormatError` `yaml-invalid`. */
export function readConfigurationSource(source: string): ConfigurationSource {
  const lines = new TextLines(source);
  const fail: FailAt = (message, start, end, cause) => {
    const words = message.split('\n')[0]!.replace(/:$/, '');
    return new PositionedError(CODE, [lines.problem(words, start, end)], { cause });
  };
  // What ends a name is counted, also where it stands in a text: that is never less, and takes no time.
  const ends = /:(?=\s)/g;
  for (let count = 1; ends.test(source); count += 1) {
    if (count > FIELDS) throw fail(`more than ${FIELDS} fields`, ends.lastIndex - 1, ends.lastIndex);
  }
  for (const _ of soundTokens(source, fail));
  const document = parseDocument(source, {
    // The library's own scalars of YAML 1.1 take names such as e1 for numbers.
    schema: 'failsafe',
    customTags: (tags) => [...tags, ...kubernetesScalars],
    resolveKnownTags: false,
    merge: true,
    // The library compares each key with each other one.
    uniqueKeys: false,
    prettyErrors: false,
    // The library passes over a second document in silence where it is to be silent.
    logLevel: 'error',
    keepSourceTokens: true,
  });
  const [broken] = document.errors;
  if (broken) throw fail(yamlWords(broken.message), ...broken.pos, broken);
  requireUniqueKeys(document, fail);
  const locate: Locate = ({ path, ofName }) => yamlExtent(document, path.split('.'), ofName);
  try {
    return {
      document,
      value: document.toJS({ maxAliasCount: 100 }),
      refuse: (problems) => new PositionedError(CODE, locateProblems(lines, locate, problems)),
    };
  } catch (cause) {
    // What aliases do is known last, and reported by errors of other kinds.
    throw fail(yamlWords(cause instanceof Error ? cause.message : String(cause)), 0, 1, cause);
  }
}

/** Throws what `fail` makes of a key that a mapping has twice. */
function requireUniqueKeys(document: Document.Parsed, fail: FailAt): void {
  visit(document, {
    Map: (_, { items }) => {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key) || typeof key.value === 'symbol') continue;
        const [start = 0, end = 1] = (key as ParsedNode).range;
        if (keys.has(key.value)) throw fail(`the key ${JSON.stringify(String(key.value))} is there twice`, start, end);
        keys.add(key.value);
      }
    },
  });
}
