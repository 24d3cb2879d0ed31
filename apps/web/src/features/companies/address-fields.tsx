import type { Address } from '@balcao/contract/companies.ts'
import { useRef, useState } from 'react'
import { errorText } from '../../platform/errors.text.ts'
import { PlainField } from '../../ui/plain/field.tsx'
import { findPostalCode } from './companies.lookups.ts'
import { useCompanyText } from './companies.text.ts'
import classes from './settings.module.css'

const rest = ['street', 'numberAddress', 'complement', 'district', 'city', 'state', 'country'] as const

/** The part of a form that has an address. */
interface AddressForm {
  values: Address
  getInputProps(field: keyof Address): object
  setValues(values: Partial<Address>): void
  validateField(field: 'cep'): unknown
}

/** The address; a postal code fills in its fields on blur. What is not found is filled in manually. */
export function AddressFields({ form }: { form: AddressForm }) {
  const t = useCompanyText()
  const { cep, message } = usePostalCode(form)
  return (
    <fieldset className={classes.address}>
      <legend>{t('address')}</legend>
      <PlainField
        label={t('cep')}
        inputMode="numeric"
        autoComplete="postal-code"
        maxLength={9}
        description={message && <span role="status">{message}</span>}
        {...form.getInputProps('cep')}
        {...cep}
      />
      {rest.map(field => (
        <PlainField key={field} label={t(field)} maxLength={150} {...form.getInputProps(field)} />
      ))}
    </fieldset>
  )
}

/** Looks a postal code up as its field is left, once for each. */
function usePostalCode(form: AddressForm) {
  const [message, setMessage] = useState('')
  const asked = useRef(form.values.cep)
  async function look(written: string) {
    if (written === asked.current || written.replace(/\D/g, '').length !== 8) return
    asked.current = written
    setMessage('')
    try {
      const { street, district, city, state, country } = await findPostalCode(written)
      // a newer lookup has started meanwhile
      if (asked.current !== written) return
      form.setValues({ city, state, country, ...(street && { street }), ...(district && { district }) })
    } catch (error) {
      if (asked.current !== written) return
      asked.current = ''
      setMessage(errorText(error))
    }
  }
  return {
    message,
    cep: {
      onBlur(event: React.FocusEvent<HTMLInputElement>) {
        const written = event.currentTarget.value
        if (written) form.validateField('cep')
        void look(written)
      },
    },
  }
}
