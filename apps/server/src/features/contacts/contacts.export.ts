import type { Readable } from 'node:stream'
import { turnsNamed } from '@balcao/contract/turning.rules.ts'
import { ZipFile } from 'yazl'
import { Refusal, refuse } from '../../platform/errors.ts'
import type { Files, OpenedFile } from '../../platform/files/files.ts'
import { addressOf, keepForDay, keyAt } from '../../platform/files/served.ts'
import type { Scope } from '../../platform/scope.ts'
import { contactExported } from './contacts.events.ts'
import { tracesOf } from './contacts.identifiers.queries.ts'
import { findCustomer } from './contacts.owners.queries.ts'

/** Below the limit of a stored file. */
const MOST_BYTES = 90 * 1_048_576

/**
 * Writes the personal data of a contact, from all features, into one archive. Files beyond `most` bytes are listed in it
 * by address. Refuses with ERR_NO_CONTACT_FOUND, and for a group with ERR_BAD_REQUEST.
 */
export async function exportPerson(
  scope: Scope,
  files: Files,
  contactId: number,
  most = MOST_BYTES,
): Promise<{ url: string }> {
  const { data, addresses } = await scope.read(async tx => {
    const contact = await findCustomer(tx, contactId)
    if (contact.isGroup) refuse('ERR_BAD_REQUEST', { field: 'contactId' })
    const { addresses, keys } = await tracesOf(tx, contactId)
    const data: Record<string, unknown> = { contact, knownAs: addresses }
    const named = new Set([contact.profilePicUrl])
    await tx.involve(contactExported, { contactId, addresses, keys, data, files: named })
    return { data, addresses: [...named] }
  })
  const content = archiveOf({ companyId: scope.companyId, files, most }, data, addresses)
  return keepForDay(scope, files, { name: `contato-${contactId}.zip`, content }, tx =>
    tx.note('all that is known of a contact was exported', { contactId, by: scope.viewer?.id }),
  )
}

interface Source {
  companyId: number
  files: Files
  most: number
}

async function* archiveOf(source: Source, data: object, addresses: string[]) {
  const archive = new ZipFile()
  const out = archive.outputStream as Readable
  const filling = fill(archive, source, data, addresses)
  // errors reach the reader of the stream
  archive.on('error', error => out.destroy(error as Error))
  filling.catch(error => out.destroy(error))
  yield* out as AsyncIterable<Uint8Array>
  await filling
}

async function fill(archive: ZipFile, { companyId, files, most }: Source, data: object, addresses: string[]) {
  const filesLeftOut: string[] = []
  let bytes = 0
  for (const key of addresses.flatMap(address => keyAt(address) ?? [])) {
    const file = await openedOrNull(files, companyId, key)
    if (!file) continue
    if (bytes + file.size > most) {
      file.stream.destroy()
      filesLeftOut.push(addressOf(key))
      continue
    }
    bytes += file.size
    await new Promise<void>((done, fail) => {
      file.stream.once('close', done).once('error', fail)
      archive.addReadStream(file.stream, `files/${key.slice(0, 8)}-${nameIn(file.name)}`)
    })
  }
  archive.addBuffer(Buffer.from(JSON.stringify({ ...data, filesLeftOut }, null, 2)), 'person.json')
  archive.end()
}

const openedOrNull = (files: Files, companyId: number, key: string): Promise<OpenedFile | null> =>
  files.open(companyId, key).catch((error: unknown) => {
    if (error instanceof Refusal) return null
    throw error
  })

const nameIn = (name: string) => turnsNamed(name).replace(/[\\/:*?"<>|]/g, '_')
