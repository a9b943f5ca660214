import { validRange } from 'semver';

/** Most alternatives of a range, once versions that are left out are reported in other words. */
const ALTERNATIVES = 64;

/**
 * Says in the words of node-semver which versions OLM means by a range: `>=1.2.0 <2.0.0 !1.5.0 || 3.x`. Undefined for
 * what is none (Operator Framework, "Dependencies": `olm.package`).
 */
export function packageRange(range: string): string | undefined {
  // OLM's reader knows no `v` before a version (blang/semver, `ParseRange`).
  if (/(?:^|[^0-9A-Za-z.+-])v/i.test(range)) return undefined;
  const alternatives: string[] = [];
  for (const part of range.split('||')) {
    const comparators = part
      .trim()
      .replace(/([<>=!])\s+/g, '$1')
      .split(/\s+/);
    let known = [''];
    for (const comparator of comparators) {
      // What OLM writes as `!1.5.0` is what is below, or above.
      const [, left] = /^!=?(.*)$/.exec(comparator) ?? [];
      const forms = left === undefined ? [comparator.replace(/^==/, '=')] : [`<${left}`, `>${left}`];
      known = known.flatMap((one) => forms.map((form) => `${one} ${form}`.trim()));
      if (known.length > ALTERNATIVES) return undefined;
    }
    alternatives.push(...known);
    if (alternatives.length > ALTERNATIVES) return undefined;
  }
  const written = alternatives.join(' || ');
  return validRange(written) === null ? undefined : written;
}
