import { documentProblem, plainDocument, shownDocument } from '@balcao/contract/companies.rules.ts'
import { PlainField } from '../../ui/plain/field.tsx'
import { useCompanyText } from './companies.text.ts'

/** From so many characters on, missing digits are reported while writing (core §5); below that on blur. */
const JUDGED_FROM = 9

/** The part of a form that has a document number. */
interface DocumentForm {
  getInputProps(field: 'documentNumber'): object
  setFieldValue(field: 'documentNumber', value: string): void
  setFieldError(field: 'documentNumber', error: string): void
  clearFieldError(field: 'documentNumber'): void
}

/** A CPF or CNPJ: a complete one is formatted, an invalid one shows why. */
export function DocumentField({ form, onLeave }: { form: DocumentForm; onLeave?(written: string): void }) {
  const t = useCompanyText()
  const judge = (written: string) => {
    const problem = documentProblem(written)
    if (problem) form.setFieldError('documentNumber', problem)
    else form.clearFieldError('documentNumber')
  }
  return (
    <PlainField
      label={t('document')}
      autoComplete="off"
      spellCheck={false}
      {...form.getInputProps('documentNumber')}
      onChange={event => {
        const shown = shownDocument(event.currentTarget.value)
        form.setFieldValue('documentNumber', shown)
        if (plainDocument(shown).length >= JUDGED_FROM) judge(shown)
      }}
      onBlur={event => {
        judge(event.currentTarget.value)
        onLeave?.(event.currentTarget.value)
      }}
    />
  )
}
