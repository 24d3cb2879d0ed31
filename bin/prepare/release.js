import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Whether this folder is an unpacked release (bin/release.ts): built, and without what only development needs. */
export const isRelease = root => existsSync(join(root, 'release.json'))
