import { describe, expect } from 'vitest';
import { toolVersions } from '../../scripts/image/tools.ts';
import { judged, ok } from '../support/judges.ts';

describe('what Go builds for platforms that no package has programs for', () => {
  judged('is the helm of the other platforms', ['helm'], async () => {
    expect(await ok('helm', ['version', '--template', '{{ .Version }}'])).toBe(toolVersions().helm);
  });

  judged('is the kubectl of the other platforms', ['kubectl'], async () => {
    const { clientVersion } = JSON.parse(await ok('kubectl', ['version', '--client', '-o', 'json']));
    expect(clientVersion.gitVersion).toBe(toolVersions().kubectl);
  });
});
