import { NO_OWNER } from '@balcao/contract/contacts.ts'
import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { userChoices } from '../users/users.api.ts'
import { useContactText } from './contacts.text.ts'

interface Props extends Omit<NativeSelectProps, 'value' | 'onChange' | 'data'> {
  value: number | null
  onChange(ownerId: number | null): void
  /** What stands for no choice. */
  none?: string
  /** Offers also those without an owner, as `NO_OWNER`. */
  withUnowned?: boolean
}

/** Whose customer a contact is: one of the company's users. */
export function CustomerOf({ value, onChange, none, withUnowned = false, ...rest }: Props) {
  const t = useContactText()
  const { data: users = [] } = useQuery(userChoices)
  return (
    <NativeSelect
      {...rest}
      value={value === null ? '' : String(value)}
      onChange={({ currentTarget: { value: chosen } }) => onChange(chosen === '' ? null : Number(chosen))}
      data={[
        { value: '', label: none ?? t('noOwner') },
        ...(withUnowned ? [{ value: String(NO_OWNER), label: t('noOwner') }] : []),
        ...users.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
    />
  )
}
