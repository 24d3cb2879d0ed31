import { statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../../platform/config.ts'
import { describeBuild, thisBuild } from '../../../platform/observe/build.ts'
import { byLimits, type Finding, finding, sizeOf } from './findings.rules.ts'

/** The major version of Node that the product is made for (package.json, .nvmrc). */
const NODE = 24

export function versionFindings(): Finding[] {
  const major = Number(process.versions.node.split('.')[0])
  return [
    finding('versions', 'ok', describeBuild(thisBuild())),
    finding(
      'versions',
      major === NODE ? 'ok' : 'warn',
      `Node ${process.versions.node}`,
      `run it on Node ${NODE}, as npm start does`,
    ),
  ]
}

/** What the product keeps, or is given in files, is read by its user alone. */
export function secretFindings(
  { dataDir, jwtSecret, databaseUrl }: Config,
  env: NodeJS.ProcessEnv,
): Finding[] {
  const kept = join(dataDir, 'secret')
  const files = Object.keys(env).filter(
    name => name.endsWith('_FILE') && env[name] && env[name]!.startsWith('/run/') === false,
  )
  const secretFiles = files
    .filter(name => SECRET_FILES.test(name))
    .map(name => ({ what: name, path: env[name]! }))
  const open = [
    ...(databaseUrl || jwtSecret ? [] : [{ what: 'DATA_DIR/secret', path: kept }]),
    ...secretFiles,
  ]
    .map(one => ({ ...one, mode: modeOf(one.path) }))
    .filter(({ mode }) => mode !== null && (mode & 0o077) !== 0)
  const folder = modeOf(dataDir)
  return [
    finding(
      'secrets',
      'ok',
      jwtSecret ? 'JWT_SECRET is given, and long enough' : 'the secret is the one that was made in DATA_DIR',
    ),
    open.length === 0
      ? finding('secrets', 'ok', 'no file of a secret is open to others')
      : finding(
          'secrets',
          'warn',
          `other users of this machine may read ${open.map(({ what }) => what).join(', ')}`,
          'chmod 600 these files; where others knew the secret, replace it (docs/operating.md, Keys)',
        ),
    folder === null || (folder & 0o066) === 0
      ? finding('secrets', 'ok', 'DATA_DIR is closed to others')
      : finding(
          'secrets',
          'warn',
          'other users of this machine may enter DATA_DIR',
          'chmod 700 it; a start does so',
        ),
  ]
}

/** Files under /run/secrets are mounted by the orchestrator for this container alone. */
const SECRET_FILES = /(SECRET|SECRET_OLD|PASSWORD|TOKEN|KEY|KEY_ID|URL)_FILE$/

/** The rights of a file; null where there is none, or on Windows, where they are inherited. */
function modeOf(path: string): number | null {
  if (process.platform === 'win32') return null
  try {
    return statSync(path).mode & 0o777
  } catch {
    return null
  }
}

/** Bytes and shares of a disk that are left. */
const FEW = 2e9
const FEWEST = 2e8

export async function diskFindings({ dataDir, backupDir }: Config): Promise<Finding[]> {
  const places = { DATA_DIR: dataDir, 'the folder for temporary files': tmpdir(), BACKUP_DIR: backupDir }
  const found: Finding[] = []
  for (const [name, path] of Object.entries(places)) {
    if (!path) continue
    const disk = await statfs(path).catch(() => null)
    if (!disk) {
      found.push(finding('disk', 'warn', `${name} is not there`, 'a start makes it, where its user may'))
      continue
    }
    const free = disk.bavail * disk.bsize
    // the less is left the worse
    const level = byLimits(-free, -FEW, -FEWEST)
    found.push(
      finding(
        'disk',
        level,
        `${sizeOf(free)} of ${sizeOf(disk.blocks * disk.bsize)} are free for ${name}`,
        'make room',
      ),
    )
  }
  return found
}
