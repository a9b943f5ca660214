import { z } from 'zod';

const described = {
  kind: z.literal('metalk8s'),
  era: z
    .enum(['manifest', 'product'])
    .describe('how it describes itself: manifest.yaml from MetalK8s 2.5.1 on, product.txt before'),
};

/** What `inspect` reports a medium that solpack did not pack. */
export const inspectedMedium = z
  .object({
    ...described,
    faults: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .describe('folders that should hold images and do not, and images that it lists and lacks'),
    unused: z.array(z.string()).describe('files for MetalK8s that are not installed from here'),
    unproved: z.array(z.string()).describe('files of whose bytes nothing on it has a digest'),
  })
  .optional()
  .describe('the medium, where solpack did not pack it; the root is that of the archive that its Solution would be');

/** What `verify` reports it. */
export const checkedMedium = z
  .object({
    ...described,
    unproved: z
      .array(z.string())
      .describe(
        'files whose bytes nothing vouches for; none where a signature that counts or a checksum of the whole does',
      ),
    checksum: z
      .object({ path: z.string(), digest: z.string() })
      .optional()
      .describe('the file of checksums beside it, and its digest there'),
  })
  .optional()
  .describe('the medium, where solpack did not pack it');
