import { simulator } from '@balcao/contract/simulator.ts'
import { Menu } from '@mantine/core'
import {
  IconAddressBook,
  IconFile,
  IconMapPin,
  IconMicrophone,
  IconPhoneX,
  IconPlus,
  IconSend2,
  IconSticker,
  IconX,
} from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { z } from 'zod'
import { call } from '../../platform/call.ts'
import { soon } from '../../ui/soon.tsx'
import { briefly } from '../media/words.ts'
import { beginRecording, useHeld } from '../messages/composer/held.ts'
import type { Holding } from './phone-chat.tsx'
import classes from './simulator.module.css'
import { useSimulatorText } from './simulator.text.ts'
import type { Customer } from './simulator-screen.tsx'

const VoiceRecorder = soon(() => import('../messages/composer/voice-recorder.tsx'))

/** Location that the simulated customer shares, and their contact cards. */
const PLACE = {
  latitude: -23.5505,
  longitude: -46.6333,
  name: 'Praça da Sé',
  address: 'Sé, São Paulo',
}
const FRIEND = { name: 'Paulo Encanador', number: '5511988881234' }

/** Recordings are kept by ticket id: 0 is the phone's. */
const PHONE = 0

interface Props {
  whatsappId: number
  customer: Customer
  holding: Holding | null
  onHeld(): void
  act(work: Promise<unknown>): Promise<boolean>
}

type Sent = Partial<z.input<typeof simulator.write.body>>

/** Where the customer writes, and what else a phone can send. */
export function PhoneWriter({ whatsappId, customer, holding, onHeld, act }: Props) {
  const t = useSimulatorText()
  const { number, name } = customer
  const [body, setBody] = useState(holding?.what === 'edit' ? holding.message.body : '')
  const { recording } = useHeld(PHONE)
  const publish = usePublish(whatsappId, number)
  const params = { whatsappId }
  const write = async (more: Sent, medias?: File[]) => {
    const quotedId = holding?.what === 'answer' ? holding.message.id : undefined
    const given = { number, name, quotedId, ...more }
    const done = await act(
      call(simulator.write, { params, body: given, ...(medias && { files: { medias } }) }),
    )
    if (done) onHeld()
    return done
  }
  const send = async () => {
    const text = body.trim()
    if (text === '') return
    setBody('')
    publish('paused')
    const edited = holding?.what === 'edit' ? holding.message.id : null
    const done = edited
      ? await act(
          call(simulator.edit, { params: { ...params, messageId: edited }, body: { number, body: text } }),
        )
      : await write({ body: text })
    if (!done) setBody(text)
    else if (edited) onHeld()
  }

  if (recording)
    return (
      <VoiceRecorder
        ticketId={PHONE}
        onState={publish}
        onRecorded={file => void write({ isVoice: true }, [file])}
      />
    )
  return (
    <form
      className={classes.write}
      onSubmit={event => {
        event.preventDefault()
        void send()
      }}
    >
      {holding && (
        <div className={classes.held}>
          <span className="one-line">
            {t(holding.what)}: {briefly(holding.message)}
          </span>
          <button type="button" className={classes.icon} aria-label={t('cancel')} onClick={onHeld}>
            <IconX size={18} aria-hidden />
          </button>
        </div>
      )}
      <More onSend={(more, files) => void write(more, files)} />
      <input
        // biome-ignore lint/a11y/noAutofocus: the customer is about to write
        autoFocus={holding !== null}
        value={body}
        onChange={event => {
          setBody(event.currentTarget.value)
          publish('composing')
        }}
        aria-label={t('write')}
        placeholder={t('write')}
        autoComplete="off"
      />
      {body.trim() === '' ? (
        <button
          type="button"
          className={classes.icon}
          aria-label={t('speak')}
          onClick={() => beginRecording(PHONE)}
        >
          <IconMicrophone size={20} aria-hidden />
        </button>
      ) : (
        <button type="submit" className={classes.icon} aria-label={t('send')}>
          <IconSend2 size={20} aria-hidden />
        </button>
      )}
    </form>
  )
}

/** What a phone sends besides text. */
function More({ onSend }: { onSend(more: Sent, files?: File[]): void }) {
  const t = useSimulatorText()
  const files = useRef<HTMLInputElement>(null)
  const sticker = useRef<HTMLInputElement>(null)
  return (
    <>
      <Menu position="top-start">
        <Menu.Target>
          <button type="button" className={classes.icon} aria-label={t('attach')}>
            <IconPlus size={20} aria-hidden />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconFile size={16} />} onClick={() => files.current?.click()}>
            {t('files')}
          </Menu.Item>
          <Menu.Item leftSection={<IconSticker size={16} />} onClick={() => sticker.current?.click()}>
            {t('sticker')}
          </Menu.Item>
          <Menu.Item leftSection={<IconMapPin size={16} />} onClick={() => onSend({ location: PLACE })}>
            {t('location')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconAddressBook size={16} />}
            onClick={() => onSend({ contacts: [FRIEND] })}
          >
            {t('contact')}
          </Menu.Item>
          <Menu.Item leftSection={<IconPhoneX size={16} />} onClick={() => onSend({ mediaType: 'call_log' })}>
            {t('missedCall')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        data-files
        onChange={event => {
          const chosen = [...(event.currentTarget.files ?? [])]
          event.currentTarget.value = ''
          if (chosen.length > 0) onSend({}, chosen)
        }}
      />
      <input
        ref={sticker}
        type="file"
        hidden
        accept="image/webp,image/png"
        onChange={event => {
          const chosen = [...(event.currentTarget.files ?? [])]
          event.currentTarget.value = ''
          if (chosen.length > 0) onSend({ isSticker: true }, chosen)
        }}
      />
    </>
  )
}

const RENEW_MS = 5_000

/** Publishes to the company that the customer writes or records. */
function usePublish(whatsappId: number, number: string) {
  const published = useRef({ state: 'paused', at: 0 })
  return (state: 'composing' | 'recording' | 'paused') => {
    const { state: before, at } = published.current
    if (state === before && Date.now() - at < RENEW_MS) return
    published.current = { state, at: Date.now() }
    call(simulator.type, { params: { whatsappId }, body: { number, state } }).catch(error =>
      console.warn('typing was not published', error),
    )
  }
}
