import { isOwnExport } from '@balcao/contract/contactSheets.rules.ts'
import { type ContactSheet, Delimiter, ROW_BY_ROW } from '@balcao/contract/contactSheets.ts'
import { Button, FileButton, Group, NativeSelect, Progress, Stack, Text } from '@mantine/core'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { whole } from '../../platform/numbers.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Late } from '../../ui/late.tsx'
import { cancelSheet, currentSheet, saveMade, stageSheet, startSheet, template } from './contactSheets.api.ts'
import { useSheetText } from './contactSheets.text.ts'
import { importRowByRow } from './row-by-row.ts'
import { SheetChoice } from './sheet-choice.tsx'

/** Import of a spreadsheet of contacts from the file to the last row; it continues without this dialog. */
export default function ImportDialog({ onClose }: { onClose(): void }) {
  const t = useSheetText()
  const { data: sheet, isPending } = useQuery(currentSheet)
  const [chosen, setChosen] = useState(false)
  const [busy, setBusy] = useState(false)
  const [sent, setSent] = useState<number | null>(null)
  const act = (work: Promise<unknown>) => {
    setBusy(true)
    return work.catch(notify.failed).finally(() => setBusy(false))
  }
  const choose = (file: File | null, delimiter?: Delimiter) => {
    if (!file) return
    setSent(null)
    void act(stageSheet(file, delimiter).then(() => setChosen(true)))
  }
  const start = (ready: ContactSheet) => act(isShort(ready) ? short(ready) : startSheet(ready.id))
  async function short(ready: ContactSheet) {
    setSent(0)
    const done = await importRowByRow(ready, setSent)
    // nothing of the spreadsheet remains to be imported
    await cancelSheet(ready.id)
    notify.done(t('done', { count: done }))
    onClose()
  }
  const isUnderWay = sheet?.state === 'reading' || sheet?.state === 'running'
  const shown = sheet && (chosen || isUnderWay || sheet.state === 'ready') ? sheet : null
  return (
    <Dialog title={t('title')} onClose={onClose} size={620}>
      {isPending ? (
        <Late>
          <p role="status">…</p>
        </Late>
      ) : sent !== null && shown ? (
        <Running done={sent} all={shown.rows - shown.doubled} />
      ) : (
        <Sheet sheet={shown} />
      )}
      {!isUnderWay && sent === null && <Choose again={shown !== null} busy={busy} onChoose={choose} />}
      <DialogActions onClose={onClose}>
        {shown && isUnderWay && (
          <Button variant="default" loading={busy} onClick={() => void act(cancelSheet(shown.id))}>
            {t('stop')}
          </Button>
        )}
        {shown?.state === 'ready' && (
          <Button
            loading={busy}
            disabled={shown.columns.number === null || shown.fresh + shown.known === 0}
            onClick={() => void start(shown)}
          >
            {t('start', { count: whole(shown.fresh + shown.known) })}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}

/**
 * Imported row by row, as documented; the call for one row accepts neither a policy for known contacts nor
 * categories nor what an exported list holds besides.
 */
const isShort = ({ rows, known, categoryIds, header, columns }: ContactSheet) =>
  rows <= ROW_BY_ROW &&
  known === 0 &&
  categoryIds.length === 0 &&
  !isOwnExport(header) &&
  columns.owner === null

function Choose({
  again,
  busy,
  onChoose,
}: {
  again: boolean
  busy: boolean
  onChoose(file: File | null, delimiter?: Delimiter): void
}) {
  const t = useSheetText()
  const [delimiter, setDelimiter] = useState<Delimiter>()
  return (
    <Group gap={8} mt={16} align="end">
      <NativeSelect
        label={t('delimiter')}
        value={delimiter ?? ''}
        onChange={event =>
          setDelimiter(Delimiter.options.find(option => option === event.currentTarget.value))
        }
        data={[
          { value: '', label: t('anyDelimiter') },
          ...Delimiter.options.map(value => ({ value, label: t(value) })),
        ]}
      />
      <FileButton onChange={file => onChoose(file, delimiter)} accept=".xlsx,.csv,.txt,.tsv,.xls,.ods">
        {props => (
          <Button
            {...props}
            variant="default"
            loading={busy && !again}
            leftSection={<IconUpload size={16} />}
          >
            {t(again ? 'another' : 'choose')}
          </Button>
        )}
      </FileButton>
      <Button
        variant="subtle"
        leftSection={<IconDownload size={16} />}
        onClick={() => void saveMade(template, 'modelo-contatos.xlsx')}
      >
        {t('template')}
      </Button>
    </Group>
  )
}

/** State of the import. */
function Sheet({ sheet }: { sheet: ContactSheet | null }) {
  const t = useSheetText()
  if (!sheet) return <Text>{t('chooseHint')}</Text>
  switch (sheet.state) {
    case 'reading':
      return <p role="status">{t('reading', { name: sheet.fileName })}</p>
    case 'ready':
      return <SheetChoice sheet={sheet} />
    case 'running':
      return <Running done={sheet.done} all={sheet.fresh + sheet.known} />
    case 'failed':
      return <p role="alert">{t(sheet.fault ?? 'notASheet', { row: sheet.faultRow ?? '' })}</p>
    case 'cancelled':
      return <p role="status">{t('cancelled', { count: whole(sheet.done) })}</p>
    case 'done':
      return <p role="status">{t('done', { count: sheet.done })}</p>
  }
}

function Running({ done, all }: { done: number; all: number }) {
  const t = useSheetText()
  const progress = t('running', { done: whole(done), all: whole(all) })
  return (
    <Stack gap={8}>
      <p role="status">{progress}</p>
      <Progress value={all > 0 ? (100 * done) / all : 100} aria-label={progress} />
    </Stack>
  )
}
