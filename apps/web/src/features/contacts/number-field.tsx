import { Button, Group, Text, TextInput } from '@mantine/core'
import type { ComponentProps } from 'react'
import { language } from '../../platform/text.ts'
import { useContactText } from './contacts.text.ts'
import { explain } from './phone.ts'

type Props = Omit<ComponentProps<typeof TextInput>, 'value' | 'onChange'> & {
  value?: string
  onChange?(typed: string): void
}

/** A phone number with a hint on its format; any number with enough digits is accepted. */
export function NumberField({ value = '', onChange, ...field }: Props) {
  const t = useContactText()
  const explained = field.error ? null : explain(value)
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
        <Text size="sm" c="dimmed">
          {!explained
            ? t('numberHint')
            : t(explained.kind, {
                text: explained.text,
                country: (explained.country && countries().of(explained.country)) ?? '',
              })}
        </Text>
        {explained?.kind === 'withoutCountry' && (
          <Button variant="default" size="xs" onClick={() => onChange?.(explained.digits)}>
            {t('takeIt')}
          </Button>
        )}
      </Group>
    </div>
  )
}

const tags = { ptBR: 'pt-BR', en: 'en', es: 'es' }
const countries = () => new Intl.DisplayNames([tags[language()]], { type: 'region' })
