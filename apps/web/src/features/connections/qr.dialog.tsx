import type { Connection } from '@balcao/contract/connections.ts'
import { Button, Group, TextInput } from '@mantine/core'
import {
  IconAlertCircle,
  IconBrandWhatsapp,
  IconDevices,
  IconDotsVertical,
  IconKeyboard,
  IconRefresh,
  IconScan,
} from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import QRCode from 'react-qr-code'
import { ApiError } from '../../platform/call.ts'
import { reasonText } from '../../platform/errors.text.ts'
import { notify } from '../../platform/notify.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { renewSession } from './connections.api.ts'
import { useQrText } from './connections.qr.text.ts'
import { useConnectionText } from './connections.text.ts'
import classes from './qr.module.css'

/** The code to scan, or the one to type, always the newest; it closes itself when there is none any more. */
export function QrDialog({ connection, onClose }: { connection: Connection; onClose(): void }) {
  const t = useConnectionText()
  const qr = useQrText()
  const { id, pairingCode } = connection
  const renew = () => void renewSession(id).catch(notify.failed)
  useEmptied(connection, onClose)
  return (
    <Dialog title={t('scan', { name: connection.name })} onClose={onClose} size={720}>
      <div className={classes.qr}>
        <Code connection={connection} onAgain={() => renew()} />
        <div className={classes.side}>
          <Steps isTyped={pairingCode !== ''} />
          <Group gap={8}>
            <Button
              variant="default"
              leftSection={<IconRefresh size={16} aria-hidden />}
              onClick={() => renew()}
            >
              {t(pairingCode ? 'byQr' : 'newQr')}
            </Button>
            {!pairingCode && <span className={classes.quiet}>{t('renews')}</span>}
          </Group>
          {!pairingCode && <ByNumber onAsk={number => renewSession(id, number)} />}
          <p className={classes.note}>{qr('next')}</p>
        </div>
      </div>
    </Dialog>
  )
}

/** The steps on the phone, each with the icon that is shown there. */
function Steps({ isTyped }: { isTyped: boolean }) {
  const t = useConnectionText()
  const steps = [
    { key: 'step1', icons: [IconBrandWhatsapp] },
    { key: 'step2', icons: [IconDotsVertical, IconDevices] },
    isTyped
      ? ({ key: 'typeCode', icons: [IconKeyboard] } as const)
      : ({ key: 'step3', icons: [IconScan] } as const),
  ] as const
  return (
    <ol className={classes.steps}>
      {steps.map(({ key, icons }, at) => (
        <li key={key}>
          <span className={classes.place} aria-hidden>
            {at + 1}
          </span>
          <span>{t(key)}</span>
          <span className={classes.signs} aria-hidden>
            {icons.map((Icon, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is fixed
              <Icon key={place} size={20} stroke={1.75} />
            ))}
          </span>
        </li>
      ))}
    </ol>
  )
}

function Code({ connection, onAgain }: { connection: Connection; onAgain(): void }) {
  const t = useConnectionText()
  const { qrcode, pairingCode, status, statusReason } = connection
  if (pairingCode)
    return (
      <div className={classes.paper}>
        <output className={classes.code} data-pairing-code={pairingCode}>
          {pairingCode.slice(0, 4)}-{pairingCode.slice(4)}
        </output>
      </div>
    )
  if (!qrcode && (status === 'DISCONNECTED' || status === 'TIMEOUT') && statusReason)
    return (
      <div className={classes.paper} role="alert">
        <span className={classes.failed}>
          <IconAlertCircle size={26} aria-hidden />
          {reasonText(statusReason)}
          <Button onClick={onAgain}>{t('retry')}</Button>
        </span>
      </div>
    )
  return (
    <div className={classes.paper} data-qr={qrcode || undefined}>
      {qrcode ? <QRCode value={qrcode} size={264} level="L" /> : <span role="status">{t('coming')}</span>}
    </div>
  )
}

/** For who cannot point the phone at the screen: a code to type instead. */
function ByNumber({ onAsk }: { onAsk(number: string): Promise<unknown> }) {
  const t = useConnectionText()
  const qr = useQrText()
  const [number, setNumber] = useState('')
  const [isWrong, setWrong] = useState(false)
  const digits = number.replace(/\D/g, '')
  async function ask() {
    await onAsk(number).catch(error => {
      if (error instanceof ApiError && error.field === 'number') setWrong(true)
      else notify.failed(error)
    })
  }
  return (
    <form
      className={classes.ask}
      onSubmit={event => {
        event.preventDefault()
        if (digits.length >= 8) void ask()
      }}
    >
      <TextInput
        label={qr('noCamera')}
        description={t('yourNumber')}
        inputMode="tel"
        autoComplete="tel"
        maxLength={30}
        value={number}
        error={isWrong && qr('noNumber')}
        onChange={event => {
          setNumber(event.currentTarget.value)
          setWrong(false)
        }}
      />
      <Button type="submit" variant="default" disabled={digits.length < 8 || digits.length > 15}>
        {t('getCode')}
      </Button>
    </form>
  )
}

/** The server empties the code when it was scanned, when it expired, and when the session was ended. */
function useEmptied({ name, qrcode, pairingCode, status }: Connection, onClose: () => void) {
  const qr = useQrText()
  const had = useRef(false)
  const shown = qrcode !== '' || pairingCode !== ''
  const over =
    status === 'CONNECTED' || status === 'PAIRING' || status === 'TIMEOUT' || status === 'DISCONNECTED'
  useEffect(() => {
    if (had.current && !shown && over) {
      if (status === 'TIMEOUT') notify.warn(qr('ranOut', { name }))
      onClose()
    }
    had.current ||= shown
  }, [shown, over, status, name, qr, onClose])
}
