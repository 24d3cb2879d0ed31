import type { Connection } from '@balcao/contract/connections.ts'
import { IMPORTED, IMPORTING, imports } from '@balcao/contract/imports.ts'
import { Progress as Bar, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../platform/call.ts'
import { notify } from '../../platform/notify.tsx'
import classes from './import-state.module.css'
import { type Progress, progressKey } from './imports.live.ts'
import { useImportText } from './imports.text.ts'

/** The phone prepares its history for a while before the first message arrives. */
const PREPARING_MS = 35_000

/** State of the import of a connection's old messages, and the button that closes its result. */
export function ImportState({ connection: { id, statusImportMessages } }: { connection: Connection }) {
  if (statusImportMessages === IMPORTING) return <Importing whatsappId={id} />
  return statusImportMessages === IMPORTED ? <CloseImported whatsappId={id} /> : null
}

function Importing({ whatsappId }: { whatsappId: number }) {
  const t = useImportText()
  const { data: progress } = useQuery<Progress>({ queryKey: progressKey(whatsappId), enabled: false })
  const [preparing, setPreparing] = useState(true)
  useEffect(() => {
    const timer = setTimeout(setPreparing, PREPARING_MS, false)
    return () => clearTimeout(timer)
  }, [])
  if (!progress)
    return (
      <Button size="xs" variant="default" disabled>
        {preparing ? t('preparing') : '…'}
      </Button>
    )
  const { this: done, all } = progress
  const percent = all === 0 ? 0 : Math.floor((done / all) * 100)
  const label = t('progress', { done: String(done), all: String(all), percent: String(percent) })
  return (
    <span className={classes.progress}>
      <Bar value={percent} size="sm" aria-label={label} />
      <span className={classes.note}>{label}</span>
    </span>
  )
}

function CloseImported({ whatsappId }: { whatsappId: number }) {
  const t = useImportText()
  const [busy, setBusy] = useState(false)
  const close = () => {
    setBusy(true)
    void call(imports.close, { params: { whatsappId } }).catch(error => {
      setBusy(false)
      notify.failed(error)
    })
  }
  return (
    <Button size="xs" variant="default" loading={busy} onClick={close}>
      {t('close')}
    </Button>
  )
}
