import type { RawMessageLog } from '@balcao/contract/messageLogs.ts'
import { Button } from '@mantine/core'
import { IconArrowLeft, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import classes from './message-logs.module.css'
import { reprocess } from './messageLogs.api.ts'
import { useMessageLogText } from './messageLogs.text.ts'

/** One raw event with its whole payload, on the whole screen. */
export function LogDetail({ log, onBack }: { log: RawMessageLog; onBack(): void }) {
  const t = useMessageLogText()
  const [busy, setBusy] = useState(false)
  const { JsonValue, ...shown } = log
  const again = async () => {
    setBusy(true)
    await reprocess(log).then(() => notify.done(t('reprocessed')), notify.failed)
    setBusy(false)
  }
  return (
    <Dialog
      title={`${t('logs')}: ${log.id}`}
      size="full"
      onClose={onBack}
      actions={
        <>
          <Button variant="default" leftSection={<IconArrowLeft size={16} />} onClick={onBack} data-autofocus>
            {t('back')}
          </Button>
          <Button leftSection={<IconRefresh size={16} />} loading={busy} onClick={() => void again()}>
            {t('reprocess')}
          </Button>
        </>
      }
    >
      <pre className={classes.json}>
        {JSON.stringify({ ...shown, JsonValue: JSON.parse(JsonValue) }, null, 2)}
      </pre>
    </Dialog>
  )
}
