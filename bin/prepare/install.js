import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprint } from './fingerprint.js'
import { isRelease } from './release.js'
import { finished } from './run.js'
import { say } from './say.js'
import { StopHere } from './stop-here.js'

const manifests = [
  'package.json',
  'package-lock.json',
  'apps/server/package.json',
  'apps/web/package.json',
  'packages/contract/package.json',
  'testing/whatsapp-server/package.json',
  'testing/cloud-api-server/package.json',
  'testing/openai-server/package.json',
  'testing/asaas-server/package.json',
  'testing/mercadopago-server/package.json',
]

const stampOf = root => join(root, 'node_modules', '.balcao-installed')
const wantedOf = root => fingerprint(root, manifests, `${process.platform}-${process.arch}`)

/** Whether what package-lock.json names is what stands in node_modules. */
export function isInstalled(root) {
  return existsSync(stampOf(root)) && readFileSync(stampOf(root), 'utf8') === wantedOf(root)
}

/** Installs it unless it is. Throws StopHere. */
export async function installWhatIsMissing(root) {
  if (isInstalled(root)) return
  say('Installing what is missing (the first time takes about a minute) …')
  const { code, output } = await npm(root)
  if (code !== 0) throw new StopHere(explain(code, output))
  writeFileSync(stampOf(root), wantedOf(root))
}

/** A release is built: it needs what its server and its commands run on. */
const RELEASED = ['--omit=dev', '--include-workspace-root', '-w', 'apps/server', '-w', 'packages/contract']

/**
 * Not `npm ci`: it refuses a lock file made where the registry lacks another platform's optional binary.
 * This installs the same locked versions and leaves the lock file as it is.
 */
function npm(root) {
  const parts = isRelease(root) ? RELEASED : ['--include=dev']
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', ...parts]
  const options = { cwd: root, quiet: true }
  const { npm_execpath: script, npm_node_execpath: node } = process.env
  // the npm that started us, on the Node it runs on: the pinned Node may be what gets replaced
  if (script?.endsWith('.js')) return finished(node ?? process.execPath, [script, ...args], options)
  return finished(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, {
    ...options,
    shell: process.platform === 'win32',
  })
}

const unreachable = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network request|CERT_/

export function explain(code, output) {
  const said = output.trim().split('\n').slice(-15).join('\n')
  if (unreachable.test(output))
    return `${said}\n\nThe npm registry cannot be reached. Balcão needs it once, to install its dependencies: check the\nnetwork, the proxy (npm config get proxy) and the registry (npm config get registry), then try again.`
  if (/EACCES|EPERM|EROFS/.test(output))
    return `${said}\n\nnode_modules cannot be written here: run as the user who owns this folder.`
  if (/ENOSPC/.test(output)) return `${said}\n\nThe disk is full: the dependencies need about 700 MB.`
  return `${said}\n\nnpm install failed (exit code ${code}).`
}
