import {
  generateWAMessageContent,
  type MessageContentGenerationOptions,
  type proto,
  type SocketConfig,
  type WASocket,
} from 'baileys'
import { type SessionHost, Unreachable } from '../../../driver.ts'
import { boundedCache } from '../keys/cache.ts'
import { ownSecret } from '../keys/secrets.ts'
import { SENT_KINDS } from './kinds/index.ts'
import { Refused, type SentBefore } from './kinds/kind.ts'

/** Phones ask again within seconds, a message of unknown fate goes out again within minutes. */
const REMEMBERED = 500
const UPLOAD_MS = 60_000

/** Composes messages; a file is uploaded once, however often its message goes out. */
export interface Composer {
  /** Throws `Refused` for what WhatsApp cannot send. */
  compose(sock: Uploading, externalId: string, sentBefore: SentBefore): Promise<proto.IMessage>
  /** What went out under this id, with the quote that it carried; undefined when that is forgotten. */
  remembered(externalId: string): proto.IMessage | undefined
  /** The same, or composed again from what the product knows; undefined when the id is not ours. */
  again(sock: Uploading, externalId: string): Promise<proto.IMessage | undefined>
}

type Uploading = Pick<WASocket, 'waUploadToServer' | 'authState'>

/** It outlives the sockets of a session. */
export function createComposer(
  logger: SocketConfig['logger'],
  host: Pick<SessionHost, 'sent' | 'voiceNote' | 'waveform' | 'linkPreview'>,
): Composer {
  const known = boundedCache(REMEMBERED)
  const remembered = (id: string) => known.get<proto.IMessage>(id) as proto.IMessage | undefined
  const composer: Composer = {
    remembered,
    async again(sock, externalId) {
      const sentBefore = remembered(externalId) ? null : await host.sent(externalId)
      if (!sentBefore) return remembered(externalId)
      return composer.compose(sock, externalId, sentBefore).catch(error => {
        if (error instanceof Refused) return undefined
        throw error
      })
    },
    async compose({ waUploadToServer, authState }, externalId, sentBefore) {
      const made = remembered(externalId)
      if (made) return made
      const upload: typeof waUploadToServer = (...given) =>
        waUploadToServer(...given).catch(error => {
          throw new Unreachable('ERR_WAPP_UNREACHABLE', { cause: error })
        })
      const options: MessageContentGenerationOptions = { upload, logger, mediaUploadTimeoutMs: UPLOAD_MS }
      const { body, content: given, isForwarded } = sentBefore
      const content = {
        ...(await SENT_KINDS[given.kind].compose(body, given, host)),
        ...(isForwarded && FORWARDED),
      }
      const message = await generateWAMessageContent(content, options)
      const messageSecret = ownSecret(authState.creds, externalId)
      message.messageContextInfo = { ...message.messageContextInfo, messageSecret }
      known.set(externalId, message)
      return message
    },
  }
  return composer
}

/** As WhatsApp marks a message that is forwarded for the first time. */
const FORWARDED = { contextInfo: { isForwarded: true, forwardingScore: 1 } }
