import type { Connection } from '@balcao/contract/connections.ts'
import { Button, Group, TextInput } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import QRCode from 'react-qr-code'
import { notify } from '../../platform/notify.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { renewSession } from './connections.api.ts'
import { useConnectionText } from './connections.text.ts'
import classes from './qr.module.css'

/** The code to scan, always the newest; it closes itself when there is none any more. */
export function QrDialog({ connection, onClose }: { connection: Connection; onClose(): void }) {
  const t = useConnectionText()
  const [byNumber, setByNumber] = useState(connection.pairingCode !== '')
  useEmptied(connection, onClose)
  return (
    <Dialog title={t('scan', { name: connection.name })} onClose={onClose} size={720}>
      <div className={classes.qr}>
        {byNumber ? <Typed connection={connection} /> : <Code qrcode={connection.qrcode} />}
        <div className={classes.side}>
          <ol className={classes.steps}>
            <li>{t('step1')}</li>
            <li>{t('step2')}</li>
            <li>{byNumber ? t('typeCode') : t('step3')}</li>
          </ol>
          {!byNumber && (
            <p className={classes.note}>
              <IconRefresh size={16} aria-hidden />
              {t('renews')}
            </p>
          )}
          <Group gap={8}>
            {!byNumber && (
              <Button variant="default" onClick={() => void renewSession(connection.id).catch(notify.failed)}>
                {t('newQr')}
              </Button>
            )}
            <Button
              variant="subtle"
              onClick={() => {
                if (byNumber) void renewSession(connection.id).catch(notify.failed)
                setByNumber(!byNumber)
              }}
            >
              {t(byNumber ? 'byQr' : 'byNumber')}
            </Button>
          </Group>
        </div>
      </div>
    </Dialog>
  )
}

function Code({ qrcode }: { qrcode: string }) {
  const t = useConnectionText()
  return (
    <div className={classes.paper} data-qr={qrcode || undefined}>
      {qrcode ? <QRCode value={qrcode} size={264} level="L" /> : <span role="status">{t('coming')}</span>}
    </div>
  )
}

function Typed({ connection }: { connection: Connection }) {
  const t = useConnectionText()
  const [number, setNumber] = useState('')
  const { pairingCode } = connection
  if (pairingCode)
    return (
      <div className={classes.paper}>
        <output className={classes.code} data-pairing-code={pairingCode}>
          {pairingCode.slice(0, 4)}-{pairingCode.slice(4)}
        </output>
      </div>
    )
  return (
    <form
      className={classes.ask}
      onSubmit={event => {
        event.preventDefault()
        void renewSession(connection.id, number.replace(/\D/g, '')).catch(notify.failed)
      }}
    >
      <TextInput
        label={t('yourNumber')}
        inputMode="tel"
        data-autofocus
        value={number}
        onChange={event => setNumber(event.currentTarget.value)}
      />
      <Button type="submit" mt={12} disabled={number.replace(/\D/g, '').length < 8}>
        {t('getCode')}
      </Button>
    </form>
  )
}

/** The server empties the code when it was scanned, when it ran out, and when somebody ended the session. */
function useEmptied({ qrcode, pairingCode, status }: Connection, onClose: () => void) {
  const had = useRef(false)
  const shown = qrcode !== '' || pairingCode !== ''
  const over =
    status === 'CONNECTED' || status === 'PAIRING' || status === 'TIMEOUT' || status === 'DISCONNECTED'
  useEffect(() => {
    if (had.current && !shown && over) onClose()
    had.current ||= shown
  }, [shown, over, onClose])
}
