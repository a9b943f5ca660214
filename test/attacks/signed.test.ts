import { attack, type Forge } from './attack.ts';
import { resigned } from './resigned.ts';
import { setStage } from './stage.ts';

// Archives that a trusted key has signed, and that are hostile all the same: what a signature covers is not believed
// either.

const stage = setStage('signed');

/** An attack by what the signed documents say. */
function signed(name: string, change: (json: string) => string): void {
  const forge: Forge = (_, format) => resigned(stage, format, change);
  attack(stage, name, { iso: forge, tar: forge });
}

/** Puts one text in the place of another, which is no shorter. */
const put = (from: string, to: string) => (json: string) => json.replace(from, to);

signed('a signed path that leads out', put('components/web/a.yaml', 'components/../../evil'));
signed('a signed path to a file of solpack', put('components/web/a.yaml', '.solpack/root.json'));
signed('a signed path that is there twice', put('components/web/b.yaml', 'components/web/a.yaml'));
signed('signed paths that differ in case alone', put('components/web/b.yaml', 'components/web/A.yaml'));
signed('signed paths that are a file and its folder', (json) =>
  json.replace('components/web/a.yaml', 'components/web/a').replace('components/web/b.yaml', 'components/web/A/b'),
);
signed('escape sequences in a signed path', put('components/web/a.yaml', 'components/web/\\u009b'));
signed('a signed field that is there twice', put('"description":"made to be attacked"', '"name":"hello"'));
signed('an image that is there twice', put('hello/job:1.0.0', 'hello/web:1.0.0'));
signed('a digest by an algorithm that proves nothing', (json) =>
  json.replace(/sha256:([0-9a-f]{32})[0-9a-f]{32}/, 'md5:$1'),
);
signed('a digest that is cut short', (json) => json.replace(/(sha256:[0-9a-f]{32})[0-9a-f]{32}/, '$1'));
signed('a manifest that is an index as well', (json) =>
  json.includes('"config":{') ? json.replace(/"mediaType":"[^"]*manifest.v1\+json",/, '"manifests":[],') : json,
);
