import { MAX_NAMED } from '@balcao/contract/campaignShapes.ts'
import {
  Button,
  FileButton,
  Group,
  MultiSelect,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { whole } from '../../platform/numbers.ts'
import { useUser } from '../../platform/session.tsx'
import { CategoryPicker } from '../categories/category-picker.tsx'
import { refusedRows, saveMade, stageSheet } from '../contactSheets/contactSheets.api.ts'
import { oneSheet } from '../contactSheets/one-sheet.ts'
import { homeOf } from '../contacts/phone.ts'
import { tagChoices } from '../tags/tags.api.ts'
import { campaignTemplate } from './campaigns.api.ts'
import { usePeopleText } from './campaigns.people.text.ts'
import type { People } from './creator-values.ts'
import { type Pasted, pastedInto } from './pasted.ts'

const SHORT_SHOWN = 10

/** Pasted numbers, one per line. */
export function PastedSource({ pasted, onChange }: { pasted: Pasted; onChange(pasted: Pasted): void }) {
  const t = usePeopleText()
  const { text } = pasted
  const home = homeOf(useUser().company)
  function addPeople() {
    const after = pastedInto(pasted, text, home)
    if (after.people.length > MAX_NAMED) return notify.warn(t('tooMany', { count: whole(MAX_NAMED) }))
    onChange(after)
    if (after.people.length > pasted.people.length) notify.done(t('taken'))
  }
  return (
    <Stack gap={8}>
      <Textarea
        label={t('numbers')}
        description={t('numbersHint')}
        autosize
        minRows={4}
        maxRows={12}
        value={text}
        onChange={event => onChange({ ...pasted, text: event.currentTarget.value })}
      />
      <div>
        <Button variant="default" size="xs" disabled={text.trim() === ''} onClick={addPeople}>
          {t('take')}
        </Button>
      </div>
      <div role="status">
        {pasted.doubled > 0 && <Text size="xs">{t('doubled', { count: pasted.doubled })}</Text>}
        {pasted.short.length > 0 && (
          <Text size="xs" lineClamp={3}>
            {t('short', { rows: pasted.short.slice(0, SHORT_SHOWN).join(', ') })}
            {pasted.short.length > SHORT_SHOWN && '…'}
          </Text>
        )}
        {pasted.wrong.length > 0 && (
          <Text size="xs" lineClamp={6}>
            {t('wrong', { rows: firstOf(pasted.wrong) })}
            {pasted.wrong.length > SHORT_SHOWN && '; …'}
          </Text>
        )}
        {pasted.unclear.length > 0 && (
          <Text size="xs" lineClamp={6}>
            {t('unclear', { rows: firstOf(pasted.unclear) })}
            {pasted.unclear.length > SHORT_SHOWN && ', …'}
          </Text>
        )}
      </div>
    </Stack>
  )
}

const firstOf = (rows: string[]) => rows.slice(0, SHORT_SHOWN).join('; ')

export function CategorySource({ value, onChange }: { value: number[]; onChange(ids: number[]): void }) {
  return <CategoryPicker label={usePeopleText()('categories')} value={value} onChange={onChange} />
}

/** Contacts that had a conversation with one of the tags within some days. */
export function TagSource({ people, onChange }: { people: People; onChange(some: Partial<People>): void }) {
  const t = usePeopleText()
  const { data: tags = [] } = useQuery(tagChoices)
  return (
    <Stack gap={8}>
      <MultiSelect
        label={t('tags')}
        description={t('tagsHint')}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('clear') }}
        data={tags.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={people.tagIds.map(String)}
        onChange={ids => onChange({ tagIds: ids.map(Number) })}
      />
      <SimpleGrid cols={2} spacing={12}>
        {(['from', 'until'] as const).map(end => (
          <TextInput
            key={end}
            type="date"
            label={t(end)}
            value={people[end]}
            onChange={event => event.currentTarget.value && onChange({ [end]: event.currentTarget.value })}
          />
        ))}
      </SimpleGrid>
    </Stack>
  )
}

/** A spreadsheet: read and counted by the server, its rows are refused where they are no contacts. */
export function SheetSource({
  sheetId,
  onChange,
}: {
  sheetId: number | null
  onChange(sheetId: number | null): void
}) {
  const t = usePeopleText()
  const [busy, setBusy] = useState(false)
  const { data: sheet } = useQuery({ ...oneSheet(sheetId ?? 0), enabled: sheetId !== null })
  async function choose(file: File | null) {
    if (!file) return
    setBusy(true)
    await stageSheet(file).then(staged => onChange(staged.id), notify.failed)
    setBusy(false)
  }
  const name = sheet?.fileName ?? ''
  return (
    <Stack gap={8}>
      <Group gap={8}>
        <FileButton onChange={file => void choose(file)} accept=".xlsx,.csv,.txt,.tsv,.xls,.ods">
          {props => (
            <Button
              {...props}
              variant="default"
              size="xs"
              loading={busy}
              leftSection={<IconUpload size={14} />}
            >
              {t('choose')}
            </Button>
          )}
        </FileButton>
        <Button
          variant="subtle"
          size="xs"
          leftSection={<IconDownload size={14} />}
          onClick={() => void saveMade(campaignTemplate, 'modelo-campanha.xlsx')}
        >
          {t('template')}
        </Button>
      </Group>
      {sheet && (
        <Text size="sm" role="status" style={{ overflowWrap: 'anywhere' }}>
          {sheet.state === 'reading'
            ? t('reading', { name })
            : sheet.state === 'failed'
              ? t('sheetFailed', { name })
              : t('sheetRead', {
                  name,
                  good: whole(sheet.fresh + sheet.known),
                  doubled: whole(sheet.doubled),
                  refused: whole(sheet.refused),
                })}
        </Text>
      )}
      {sheet && sheet.refused > 0 && (
        <div>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconDownload size={14} />}
            onClick={() => void saveMade(refusedRows(sheet.id), 'recusadas.csv')}
          >
            {t('refused')}
          </Button>
        </div>
      )}
    </Stack>
  )
}
