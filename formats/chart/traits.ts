import type { Bytes } from '../bytes.ts';
import { definitionsIn } from './definitions.ts';
import { chartLimits } from './limits.ts';
import { textsOf } from './texts.ts';

/** What the text of a chart, and of the charts in it, says about how it is rendered. It may say too much, never too little. */
export interface ChartTraits {
  /** Whether what it renders may depend on the kinds that a cluster serves (`.Capabilities.APIVersions`). */
  readonly asksKinds: boolean;
  /** Whether it may ask a cluster for objects (`lookup`). */
  readonly looksUp: boolean;
  /** Whether it may draw values at random, or by the clock. */
  readonly draws: boolean;
  /** What the definitions in its `crds` folders seem to define: `group/version` and `group/version/Kind`. */
  readonly defines: readonly string[];
}

// Sprig's functions whose result differs from call to call.
const draw =
  /\b(?:rand(?:AlphaNum|Alpha|Numeric|Ascii|Bytes|Int)|uuidv4|genPrivateKey|genCA|genCAWithKey|genSelfSignedCert|genSelfSignedCertWithKey|genSignedCert|genSignedCertWithKey|htpasswd|bcrypt|shuffle|encryptAES)\b/;
// Words of prose as well, where no template is near.
const clock = /\b(?:now|ago)\b/;
const kinds = /\bAPIVersions\b|\.Capabilities\b(?!\.(?:KubeVersion|HelmVersion)\b)/;

/** Reads the traits of a packed chart (`.tgz`). Throws `FormatError` `chart-invalid`. */
export async function chartTraits(bytes: Bytes): Promise<ChartTraits> {
  const traits = { asksKinds: false, looksUp: false, draws: false, defines: [] as string[] };
  for await (const { path, text } of textsOf(bytes, { left: chartLimits.total })) {
    if (/\.(?:md|txt)$/i.test(path) && !path.endsWith('NOTES.txt')) continue;
    if (/(?:^|\/)crds\//.test(path)) {
      for (const { group, kind, versions } of definitionsIn(text)) {
        traits.defines.push(...versions.flatMap((version) => [`${group}/${version}`, `${group}/${version}/${kind}`]));
      }
      continue;
    }
    traits.asksKinds ||= kinds.test(text);
    traits.looksUp ||= /\blookup\b/.test(text);
    traits.draws ||= draw.test(text) || (text.includes('{{') && text.split('\n').some(asksClock));
  }
  return traits;
}

function asksClock(line: string): boolean {
  return line.includes('{{') && clock.test(line);
}
