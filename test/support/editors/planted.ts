import type { FileFormat } from '../../../formats/document/schema-line.ts';
import { flatConfiguration, wholeConfiguration, wholeDefinition, wholePolicy, wholeProfile } from './whole-files.ts';

/** A mistake that somebody makes in a file. */
export interface Planted {
  readonly format: FileFormat;
  /** What is wrong, and so the name of a file. */
  readonly mistake: string;
  readonly text: string;
  /** What the editor says. */
  readonly told: RegExp;
}

function planted(
  format: FileFormat,
  whole: string,
  mistakes: readonly (readonly [mistake: string, right: string, wrong: string, told: RegExp])[],
): Planted[] {
  return mistakes.map(([mistake, right, wrong, told]) => {
    if (!whole.includes(right)) throw new Error(`${format}: nothing is there to plant ${mistake} in`);
    return { format, mistake, text: whole.replace(right, () => wrong), told };
  });
}

/** Mistakes that Taplo has to find, and those that yaml-language-server has to. */
export const mistakes: readonly Planted[] = [
  ...planted('definition', wholeDefinition, [
    ['a misspelt key', 'make-sboms = true', 'make-sbom = true', /'make-sbom' was unexpected/],
    ['a version with a v', 'version = "2.1.0-rc.1+build.5"', 'version = "v2.1"', /"v2.1" does not match/],
    ['a number for a text', 'description = "A shop."', 'description = 5', /5 is not of type "string"/],
    ['no name', 'name = "shop"\n', '', /"name" is a required property/],
    ['a kind that there is not', 'kind = "plugin"', 'kind = "plug-in"', /"plug-in" is not one of/],
    ['a range that is none', 'cert-manager = ">=1.12 <2"', 'cert-manager = "newest"', /"newest" does not match/],
    ['a reference with a scheme', 'operator = "reg', 'operator = "https://reg', /"https:\/\/reg.*" does not match/],
    ['values of manifests', 'kind = "helm"', 'kind = "manifests"', /"manifests" is not one of/],
    ['a day without a time', 'created = 2026-11-20T08:00:00Z', 'created = 2026-11-20', /"2026-11-20" does not match/],
    ['a table for a list', '[[images]]', '[images]', /is not of type "array"/],
    ['a probe of nothing', 'name = "main"\n', '', /is not valid under any of the schemas/],
    ['a duration in words', 'timeout = "1h30m"', 'timeout = "90 minutes"', /"90 minutes" does not match/],
  ]),
  ...planted('configuration', wholeConfiguration, [
    ['a misspelt key', 'activeVersion: "^2.1"', 'activeversion: "^2.1"', /Property activeversion is not allowed/],
    ['a version without quotes', 'activeVersion: "^2.1"', 'activeVersion: 2.1', /Incorrect type/],
    ['a version with a v', 'activeVersion: "^2.1"', 'activeVersion: v2.1.0', /has to be "latest" or a SemVer version/],
    ['no archives', '    archives: []\n', '', /Missing property "archives"/],
    ['another kind', 'kind: SolutionsConfiguration', 'kind: SolutionConfiguration', /must be "SolutionsConfiguration"/],
    ['a name in capitals', 'name: edge', 'name: Edge', /has to be an RFC 1123 label/],
    ['both forms', 'metadata:\n', 'active: {shop: latest}\nmetadata:\n', /Incorrect type. Expected "null"/],
    ['one archive for a list', 'archives: []', 'archives: a.iso', /Incorrect type. Expected "array"/],
    ['a secret from nowhere', ', env: WEB_PASSWORD', '', /Missing property "env"/],
    ['a namespace of Kubernetes', 'team-b:', 'kube-system:', /Matches a schema that is not allowed/],
    ['a misspelt key of a target', 'labelSelector:', 'labelselector:', /Property labelselector is not allowed/],
  ]),
  ...planted('configuration', flatConfiguration, [
    ['none in the flat form', '">=1.0.0 <2"', 'none', /has to be "latest" or a SemVer version/],
    ['values without a component', '{web: [site.yaml]}', '[site.yaml]', /Incorrect type. Expected one of object, null/],
  ]),
  ...planted('policy', wholePolicy, [
    ['a misspelt key', 'minSequence = 1', 'min-sequence = 1', /'min-sequence' was unexpected/],
    ['a status that there is not', '"retired"', '"expired"', /"expired" is not one of/],
    ['a text for a number', 'threshold = 2', 'threshold = "2"', /"2" is not of type "integer"/],
    ['no version', 'version = 3\n', '', /"version" is a required property/],
    ['a key that is nowhere', 'file = "release.pub"\n', '', /is not valid under any of the schemas/],
    ['an id that is a name', `keys = ["${'a'.repeat(64)}"]`, 'keys = ["release"]', /"release" does not match/],
    ['a digest without its algorithm', '"sha256:0', '"0', /does not match/],
    ['images of no registry', '"localhost/a"', '"guestbook/a"', /"guestbook\/a" does not match/],
  ]),
  ...planted('profile', wholeProfile, [
    ['a misspelt key', 'hosts-dir', 'host-dir', /'host-dir' was unexpected/],
    ['a text for true or false', 'failure = true', 'failure = "yes"', /"yes" is not of type "boolean"/],
    ['an address without its scheme', '"http://127.0.0.1:5000"', '"127.0.0.1:5000"', /"127.0.0.1:5000" does not match/],
    ['a duration in words', '"10m"', '"ten minutes"', /"ten minutes" does not match/],
    ['a policy and keys', 'policy =', 'keys = ["a.pub"]\npolicy =', /is not allowed for/],
    ['no generation', 'keep-generations = 5', 'keep-generations = 0', /0 is less than the minimum of 1/],
    ['a table that there is not', '[registry]', '[registries]', /'registries' was unexpected/],
  ]),
];
