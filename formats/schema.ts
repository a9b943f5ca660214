// The one module that loads zod, so that who checks nothing does not.
import { config, z } from 'zod';

// Code made for each schema is worth its time after some thousand manifests.
config({ jitless: true });

export { z };
