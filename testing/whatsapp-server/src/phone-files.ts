import { randomBytes } from 'node:crypto'
import { aesDecryptGCM, aesEncryptGCM, hkdf, normalizeMessageContent, proto } from 'baileys'
import { jidOf } from './directory.ts'
import { filePart } from './files.ts'
import { attr, type BinaryNode, child, childBytes, node, seconds } from './nodes.ts'
import type { PhoneLine } from './phone-line.ts'

const { ResultType } = proto.MediaRetryNotification

/**
 * Answers a companion that could not download the file of a message: the phone uploads it again and answers with its
 * path, or that it no longer has it. Throws when the request does not fit the message.
 * @param message the message of that id on the phone
 */
export function uploadAgain(
  { state, account }: PhoneLine,
  request: BinaryNode,
  message: proto.IMessage | undefined,
): void {
  const id = attr(request, 'id')
  const found = filePart(normalizeMessageContent(message) ?? {})?.part
  const answer = found?.mediaKey
    ? sealedAnswer(id, found.mediaKey, request, () => state.media.store.renew(found.directPath ?? ''))
    : node('error', { code: `${ResultType.NOT_FOUND}` })
  const attrs = { id, from: jidOf(account, 'pn'), type: 'mediaretry', t: seconds() }
  state.directory
    .device(attr(request, 'from'))
    ?.mailbox.put(node('notification', attrs, [answer, child(request, 'rmr')!]))
}

function sealedAnswer(
  id: string,
  mediaKey: Uint8Array,
  request: BinaryNode,
  renew: () => string | undefined,
): BinaryNode {
  const key = hkdf(mediaKey, 32, { info: 'WhatsApp Media Retry Notification' })
  const [asked, askedIv] = ['enc_p', 'enc_iv'].map(tag => childBytes(child(request, 'encrypt'), tag))
  const { stanzaId } = proto.ServerErrorReceipt.decode(aesDecryptGCM(asked!, key, askedIv!, Buffer.from(id)))
  if (stanzaId !== id) throw new Error(`the file of ${stanzaId} is asked for under the id ${id}`)
  const directPath = renew()
  const result = directPath ? ResultType.SUCCESS : ResultType.NOT_FOUND
  const iv = randomBytes(12)
  const plain = proto.MediaRetryNotification.encode({ stanzaId: id, directPath, result }).finish()
  const sealed = aesEncryptGCM(plain, key, iv, Buffer.from(id))
  return node('encrypt', {}, [node('enc_p', {}, sealed), node('enc_iv', {}, iv)])
}
