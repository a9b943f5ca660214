import { apk } from './apk.ts';
import { dpkg } from './dpkg.ts';
import { go } from './go.ts';
import type { PackageKind } from './kind.ts';
import { npm } from './npm.ts';
import { python } from './python.ts';

/** Every way in which packages are read. A new one is one file, one line here, and its lines in `unread.ts` gone. */
export const packageKinds: readonly PackageKind[] = [apk, dpkg, go, npm, python];
