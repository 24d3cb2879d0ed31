import { numberFault, numberFaults, type Reading, readNumber } from '@balcao/contract/numbers.rules.ts'
import { Button, Group, Text, TextInput } from '@mantine/core'
import type { ComponentProps } from 'react'
import { inWords } from '../../platform/forms.text.ts'
import { phoneText } from '../../platform/phone.ts'
import { useUser } from '../../platform/session.tsx'
import { useContactText } from './contacts.text.ts'
import { countryName } from './country-name.ts'
import { homeOf } from './phone.ts'

type Props = Omit<ComponentProps<typeof TextInput>, 'value' | 'onChange'> & {
  value?: string
  onChange?(typed: string): void
}

/** A phone number, and which one is meant; where it could be two, a choice. Any number with enough digits is accepted. */
export default function NumberField({ value = '', onChange, ...field }: Props) {
  const t = useContactText()
  const home = homeOf(useUser().company)
  const meaning = value.replace(/\D/g, '').length < 8 ? null : readNumber(value, home)
  const hint = () => {
    if (!meaning) return t('numberHint')
    const fault = numberFault(value, meaning)
    if (fault) return inWords(numberFaults[fault])
    if (meaning.kind === 'one') return inFull(meaning)
    return t(meaning.kind === 'two' ? 'whichCountry' : 'unusual')
  }
  return (
    <div>
      <TextInput
        {...field}
        label={t('number')}
        inputMode="tel"
        maxLength={60}
        value={value}
        onChange={event => onChange?.(event.currentTarget.value)}
      />
      <Group gap={8} mt={4} role="status">
        {(!field.error || meaning?.kind === 'two') && (
          <Text size="sm" c="dimmed">
            {hint()}
          </Text>
        )}
        {meaning?.kind === 'two' &&
          [meaning.home, meaning.abroad].map(reading => (
            <Button
              key={reading.digits}
              variant="default"
              size="xs"
              onClick={() => onChange?.(phoneText(reading.digits))}
            >
              {inFull(reading)}
            </Button>
          ))}
      </Group>
    </div>
  )
}

const inFull = ({ digits, country }: Reading) =>
  country ? `${phoneText(digits)}, ${countryName(country)}` : phoneText(digits)
