import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Channel, Route } from '@balcao/contract/kit.ts'
import type { Codebase } from './codebase.ts'

export interface ContractRoute {
  /** As code writes it: tickets.list */
  name: string
  file: string
  route: Route
}

export interface ContractChannel {
  name: string
  file: string
  channel: Channel
}

/** Every call and channel that the contract declares, by loading its files. */
export async function readContract({ root, sources }: Codebase) {
  const routes: ContractRoute[] = []
  const channels: ContractChannel[] = []
  for (const { path: file } of sources) {
    if (!/^packages\/contract\/src\/[^/]+\.ts$/.test(file) || /\.(test|rules)\.ts$/.test(file)) continue
    if (!existsSync(join(root, file))) continue
    const exported: Record<string, unknown> = await import(pathToFileURL(join(root, file)).href)
    for (const [name, value] of Object.entries(exported)) {
      if (isChannel(value)) channels.push({ name, file, channel: value })
      else if (isObject(value))
        for (const [verb, route] of Object.entries(value))
          if (isRoute(route)) routes.push({ name: `${name}.${verb}`, file, route })
    }
  }
  return { routes, channels }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
const isRoute = (value: unknown): value is Route =>
  isObject(value) && 'method' in value && 'path' in value && 'needs' in value && 'reply' in value
const isChannel = (value: unknown): value is Channel =>
  isObject(value) && typeof value.name === 'string' && 'payload' in value
