import { z } from '../schema.ts';

const text = z.string().nullish();
const texts = z.array(z.string()).nullish();

/** Ranges of addresses: texts today, and mappings with `cidr` in MicroShift 4.13 and older. */
const ranges = z.array(z.union([z.string(), z.looseObject({ cidr: z.string() })])).nullish();

/** Says what a file of MicroShift's configuration may hold, as far as it says variables; today's fields come first. */
export const microshiftSchema = z.looseObject({
  dns: z.looseObject({ baseDomain: text }).nullish(),
  network: z
    .looseObject({
      clusterNetwork: ranges,
      serviceNetwork: ranges,
      serviceNodePortRange: z
        .string()
        .regex(/^\d{1,5}-\d{1,5}$/, 'has to be a range of ports: 30000-32767')
        .or(z.literal(''))
        .nullish(),
    })
    .nullish(),
  node: z.looseObject({ hostnameOverride: text, nodeIP: text }).nullish(),
  apiServer: z.looseObject({ subjectAltNames: texts }).nullish(),
  debugging: z.looseObject({ logLevel: text }).nullish(),
  cluster: z.looseObject({ url: text, clusterCIDR: text, serviceCIDR: text, serviceNodePortRange: text }).nullish(),
  baseDomain: text,
  nodeIP: text,
  nodeName: text,
  subjectAltNames: texts,
  logVLevel: z.number().int().nullish(),
});
