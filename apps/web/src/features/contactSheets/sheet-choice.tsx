import type { ContactSheet, KnownPolicy, SheetColumns, TwoReadings } from '@balcao/contract/contactSheets.ts'
import { cut } from '@balcao/contract/cut.rules.ts'
import { Button, NativeSelect, Stack } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { notify } from '../../platform/notify.tsx'
import { whole } from '../../platform/numbers.ts'
import { useMay } from '../../platform/session.tsx'
import { CategoryPicker } from '../categories/category-picker.tsx'
import { chooseForSheet, refusedRows, saveMade } from './contactSheets.api.ts'
import classes from './contactSheets.module.css'
import { useSheetText } from './contactSheets.text.ts'

const NONE = ''

/** What was found in a spreadsheet, and what shall become of it. */
export function SheetChoice({ sheet }: { sheet: ContactSheet }) {
  const t = useSheetText()
  const mayCategorize = useMay('contacts:categorize')
  const change = (body: Parameters<typeof chooseForSheet>[1]) =>
    void chooseForSheet(sheet.id, body).catch(notify.failed)
  return (
    <Stack gap={16}>
      <Columns sheet={sheet} onChange={columns => change({ columns })} />
      <Counts sheet={sheet} />
      {sheet.known > 0 && (
        <NativeSelect
          label={t('policy')}
          value={sheet.policy}
          onChange={event => change({ policy: event.currentTarget.value as KnownPolicy })}
          data={(['fill', 'overwrite', 'skip'] as const).map(policy => ({ value: policy, label: t(policy) }))}
        />
      )}
      {(sheet.ambiguous > 0 || sheet.twoReadings !== 'refuse') && (
        <NativeSelect
          label={t('twoReadings', { count: whole(sheet.ambiguous) })}
          value={sheet.twoReadings}
          onChange={event => change({ twoReadings: event.currentTarget.value as TwoReadings })}
          data={(['refuse', 'home', 'abroad'] as const).map(value => ({
            value,
            label: t(`${value}Reading`),
          }))}
        />
      )}
      {mayCategorize && (
        <CategoryPicker
          label={t('categories')}
          value={sheet.categoryIds}
          onChange={categoryIds => change({ categoryIds })}
        />
      )}
    </Stack>
  )
}

function Columns({ sheet, onChange }: { sheet: ContactSheet; onChange(columns: SheetColumns): void }) {
  const t = useSheetText()
  const { columns, header, sample } = sheet
  const shown = (at: number) => {
    const example = sample.map(row => row[at]).find(Boolean)
    return example ? `${header[at]}: ${cut(example, 30)}` : header[at]!
  }
  const choices = [
    { value: NONE, label: t('none') },
    ...header.map((_, at) => ({ value: String(at), label: shown(at) })),
  ]
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a frame and a legend of its own
    <div role="group" aria-label={t('columns')} className={classes.columns}>
      {(['name', 'number', 'email', 'owner'] as const).map(field => (
        <NativeSelect
          key={field}
          label={t(field)}
          error={field === 'number' && columns.number === null ? t('noNumber') : undefined}
          value={columns[field] === null ? NONE : String(columns[field])}
          onChange={event => {
            const { value } = event.currentTarget
            onChange({ ...columns, [field]: value === NONE ? null : Number(value) })
          }}
          data={choices}
        />
      ))}
    </div>
  )
}

function Counts({ sheet }: { sheet: ContactSheet }) {
  const t = useSheetText()
  return (
    <section aria-label={t('counted')}>
      <ul className={classes.counts}>
        {(['fresh', 'known', 'doubled', 'refused'] as const).map(what => (
          <li key={what} data-what={what}>
            <strong>{whole(sheet[what])}</strong>
            <span>{t(what)}</span>
          </li>
        ))}
      </ul>
      {sheet.refused > 0 && (
        <Button
          variant="default"
          size="xs"
          mt={8}
          leftSection={<IconDownload size={16} />}
          onClick={() => void saveMade(refusedRows(sheet.id), 'recusadas.csv')}
        >
          {t('saveRefused')}
        </Button>
      )}
    </section>
  )
}
