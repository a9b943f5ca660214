import { resolveWorld } from '../../../formats/resolve/resolve.ts';
import { parseConfiguration } from '../../../formats/solution/configuration.ts';
import { parseDefinition } from '../../../formats/solution/definition.ts';
import { parseRelations, type Release, relationsOf } from '../../../formats/solution/relations.ts';
import { parsers } from '../parser.ts';
import { must } from '../violation.ts';

const component = '[[components]]\nname = "all"\nkind = "manifests"\npath = "all.yaml"\n';

const head =
  'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\nmetadata: {name: edge}\n';

const others: readonly Release[] = [
  { name: 'issuer', version: '1.13.0', provides: { certificates: '1.13.0' } },
  { name: 'issuer', version: '2.0.0-rc.1', requires: { store: '>=1' } },
  { name: 'store', version: '1.0.0', provides: { cni: '1.0.0' }, exclusive: ['cni'] },
  { name: 'shop', version: '1.0.0', requires: { issuer: '^1' }, conflicts: { hello: '<1' } },
];

/**
 * What a Solution asks of others, in its definition and as a cluster keeps it, and what a configuration wants; and the
 * sets of that.
 */
export const relations = parsers(
  'relations',
  10,
  'requires¦any-of¦anyOf¦recommends¦provides¦exclusive¦conflicts¦replaces¦issuer¦store¦hello¦shop¦certificates¦cni¦kubernetes¦"*"¦">=1 <2"¦"^1"¦"2.0.0-rc.1"¦"1 || 2"¦"x"¦latest¦none¦environments¦activeVersion¦team-a¦{¦}¦[¦]¦ = ¦: ¦, ¦\n',
  {
    definition: {
      samples: [
        `name = "hello"\nversion = "1.0.0"\nexclusive = ["greeting"]\n${component}\n[requires]\nissuer = ">=1.12 <2"\n[provides]\ngreeting = "1.0.0"\n[[any-of]]\nnone = "*"\nstore = "^1"\n[recommends]\nshop = "*"\n[conflicts]\nother = "<2"\n[replaces]\ngreeter = "*"\n`,
        `name = "hello"\nversion = "0.1.0"\nkubernetes = ">=1.28"\nrequires = { certificates = "*", cni = "1.x" }\n${component}`,
      ],
      read: (bytes) => {
        const definition = parseDefinition(bytes);
        resolves({ name: definition.name, version: definition.version, ...relationsOf(definition) });
      },
    },
    kept: {
      samples: [
        '{"requires":{"issuer":"^1"},"anyOf":[{"none":"*","store":"1"}],"recommends":{"shop":"*"}}',
        '{"provides":{"cni":"2.0.0"},"exclusive":["cni"],"conflicts":{"store":"<1"},"replaces":{"greeter":"*"}}',
      ],
      read: (bytes) => {
        const kept = parseRelations(bytes.toString());
        must(
          JSON.stringify(parseRelations(JSON.stringify(kept))) === JSON.stringify(kept),
          'relations change when kept',
        );
        resolves({ name: 'hello', version: '1.0.0', ...kept });
      },
    },
    configuration: {
      samples: [
        `${head}archives: [hello.iso]\nactive: {hello: "^1", shop: latest}\nenvironments: {issuer: {team-a: ">=1", team-b: "1.13.0"}}\n`,
        `${head}solutions:\n  - {name: issuer, archives: [a.iso], activeVersion: "2.0.0-rc.1", environments: {team-a: "1.x"}}\n  - {name: shop, archives: [b.iso], activeVersion: none}\n`,
      ],
      read: async (bytes) => {
        const { active, environments } = await parseConfiguration(bytes);
        checkWords(resolveWorld({ candidates: others, wants: active, environments }));
      },
    },
  },
);

function resolves(release: Release): void {
  const wants = new Map([[release.name, 'latest']]);
  checkWords(resolveWorld({ candidates: [...others.filter(({ name }) => name !== release.name), release], wants }));
}

function checkWords(resolution: ReturnType<typeof resolveWorld>): void {
  if ('set' in resolution) {
    const names = resolution.set.members.map((one) => one.release.name);
    must(new Set(names).size === names.length, 'a Solution is in the set twice');
  } else must(resolution.none.explanation.length > 0, 'nothing is explained');
}
