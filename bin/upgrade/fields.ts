import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MESSAGE_FIELDS } from '../../apps/server/src/channels/baileys/library/message-fields.ts'

type Field = readonly [number: number, name: string, type: string]

/** The fields of `Message` in the schema that a version of Baileys comes with. */
export function fieldsOfLibrary(folder: string): Field[] {
  const file = join(folder, 'node_modules/baileys/WAProto/WAProto.proto')
  return existsSync(file) ? fieldsOfMessage(readFileSync(file, 'utf8')) : []
}

/** The fields of the top-level `Message` of a schema, without those of the types inside of it. */
export function fieldsOfMessage(schema: string): Field[] {
  const [, body = ''] = /^message Message \{\n([\s\S]*?)^\}/m.exec(schema) ?? []
  return [...body.matchAll(/^ {4}(?:optional|repeated) ([\w.]+) (\w+) = (\d+)/gm)].map(
    ([, type, name, number]) => [Number(number), name!, type!] as const,
  )
}

/** What a schema lacks of the fields that WhatsApp has, and what the description of them lacks, each as a line. */
export function compareFields(
  library: readonly Field[],
  described: readonly Field[] = MESSAGE_FIELDS,
): string[] {
  const lacking = (from: readonly Field[], within: readonly Field[]) =>
    from.filter(([number, name]) => !within.some(one => one[0] === number && one[1] === name))
  const line = ([number, name, type]: Field) => `${number} ${name} (${type})`
  return [
    ...lacking(described, library).map(one => `Baileys lacks ${line(one)}`),
    ...lacking(library, described).map(one => `library/message-fields.ts lacks ${line(one)}`),
  ]
}
