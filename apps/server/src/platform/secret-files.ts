import { closeSync, openSync, readSync } from 'node:fs'

/** Variables that hold a secret, or an address with a password. */
export const SECRETS = [
  'JWT_SECRET',
  'JWT_SECRET_OLD',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_READ_URL',
  'REDIS_URL',
  'MASTER_PASSWORD',
  'MAPS_KEY',
  'SMTP_URL',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'BACKUP_KEY',
  'BACKUP_S3_ACCESS_KEY_ID',
  'BACKUP_S3_SECRET_ACCESS_KEY',
  'ASAAS_TOKEN',
  'ASAAS_WEBHOOK_TOKEN',
  'METRICS_TOKEN',
  'META_APP_SECRET',
]

/** The most bytes that a file of a secret may have. */
const MOST = 8_192

interface Given {
  env: NodeJS.ProcessEnv
  /** What is wrong, by variable. */
  wrong: Map<string, string>
}

/**
 * Each secret may be the content of a file instead, which `NAME_FILE` names, as orchestrators of containers mount them:
 * the environment of a process is shown by `docker inspect` and inherited by its children. The last line end is not part
 * of the secret. Answers the environment with the contents; the variables of the files are left out.
 */
export function withSecretFiles(given: NodeJS.ProcessEnv): Given {
  const env = { ...given }
  const wrong = new Map<string, string>()
  for (const name of SECRETS) {
    const variable = `${name}_FILE`
    const path = env[variable]
    delete env[variable]
    if (!path) continue
    if (env[name]) wrong.set(variable, `names a file, and ${name} is set too: give one of them`)
    else
      try {
        env[name] = contentOf(path)
        if (!env[name]) wrong.set(variable, 'names an empty file')
      } catch (error) {
        wrong.set(variable, (error as Error & { code?: string }).code ? UNREADABLE : (error as Error).message)
      }
  }
  return { env, wrong }
}

const UNREADABLE = 'names a file that is not there or cannot be read'

function contentOf(path: string): string {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(MOST + 1)
    const length = readSync(file, bytes)
    if (length > MOST) throw new Error(`names a file of more than ${MOST} bytes`)
    return bytes.toString('utf8', 0, length).replace(/\r?\n$/, '')
  } finally {
    closeSync(file)
  }
}
