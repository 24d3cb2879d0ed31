import type { KeptSides, MergePreview } from '@balcao/contract/contactMerges.ts'
import type { Contact } from '@balcao/contract/contacts.ts'
import { Stack, Text } from '@mantine/core'
import { phoneText } from '../../platform/phone.ts'
import { Segmented } from '../../ui/segmented.tsx'
import classes from './contactMerges.module.css'
import { useMergeText } from './contactMerges.text.ts'

type Field = keyof KeptSides

/** The value of a field of a contact as text; empty where there is none. */
const valueIn: Record<Field, (contact: Contact) => string> = {
  name: ({ name }) => name,
  number: ({ number, lid }) => (number ? phoneText(number) : lid),
  email: ({ email }) => email,
  extraInfo: ({ extraInfo }) => extraInfo.map(({ name, value }) => `${name}: ${value}`).join(', '),
  categories: ({ categoryContacts }) => categoryContacts.map(({ name }) => name).join(', '),
}
const fields: Field[] = ['name', 'number', 'email', 'extraInfo', 'categories']

interface Props {
  preview: MergePreview
  keep: KeptSides
  onChange(keep: KeptSides): void
}

/** Which value is kept where both contacts have one and they differ. */
export function SideChoice({ preview: { into, from }, keep, onChange }: Props) {
  const t = useMergeText()
  const asked = fields.filter(field => {
    const [one, other] = [valueIn[field](into), valueIn[field](from)]
    return one !== '' && other !== '' && one !== other
  })
  if (asked.length === 0) return null
  return (
    <Stack gap={8}>
      <Text fw={600}>{t('which')}</Text>
      {asked.map(field => (
        <div key={field} className={classes.field}>
          <span>{t(field)}</span>
          <Segmented<KeptSides['extraInfo']>
            label={t(field)}
            value={keep[field]}
            options={[
              { value: 'into', label: valueIn[field](into) },
              { value: 'from', label: valueIn[field](from) },
              ...(field === 'extraInfo' || field === 'categories'
                ? [{ value: 'both' as const, label: t('both') }]
                : []),
            ]}
            onChange={side => onChange({ ...keep, [field]: side })}
          />
        </div>
      ))}
      {asked.includes('number') && (
        <Text size="sm" c="dimmed">
          {t('numberHint')}
        </Text>
      )}
    </Stack>
  )
}
