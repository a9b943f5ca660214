import type { Bytes } from '../bytes.ts';
import { ANY_GROUP, definitionsIn } from './definitions.ts';
import { chartLimits } from './limits.ts';
import type { ChartTraits } from './text-traits.ts';
import { chartTexts } from './texts.ts';

// Sprig's functions whose result differs from call to call.
const draw =
  /\b(?:rand(?:AlphaNum|Alpha|Numeric|Ascii|Bytes|Int)|uuidv4|genPrivateKey|genCA|genCAWithKey|genSelfSignedCert|genSelfSignedCertWithKey|genSignedCert|genSignedCertWithKey|htpasswd|bcrypt|shuffle|encryptAES)\b/;
// Words of prose as well, where no template is near.
const clock = /\b(?:now|ago)\b/;
const kinds = /\bAPIVersions\b|\.Capabilities\b(?!\.(?:KubeVersion|HelmVersion)\b)/;

/** Reads the traits of a packed chart (`.tgz`). Throws `FormatError` `chart-invalid`. */
export async function chartTraits(bytes: Bytes): Promise<ChartTraits> {
  const traits = { asksKinds: false, looksUp: false, draws: false, defines: [] as string[] };
  for await (const { path, text } of chartTexts(bytes, { left: chartLimits.total })) {
    if (/\.(?:md|txt)$/i.test(path) && !path.endsWith('NOTES.txt')) continue;
    if (/(?:^|\/)crds\//.test(path)) {
      for (const { group, kind, versions } of definitionsIn(text)) {
        // Nothing there is a template.
        if (group === ANY_GROUP) continue;
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
