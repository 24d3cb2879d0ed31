import { documentProblem, plainDocument, shownDocument } from '@balcao/contract/companies.rules.ts'
import { TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useCompanyText } from './companies.text.ts'
import type { CompanyValues } from './companies.values.ts'

/** From so many characters on one hears while one writes that some lack (core §5); before, when the field is left. */
const JUDGED_FROM = 9

/** A CPF or CNPJ: a whole one is shown as people write it, one that cannot be says why. */
export function DocumentField({ form }: { form: UseFormReturnType<CompanyValues> }) {
  const t = useCompanyText()
  const judge = (written: string) => {
    const problem = documentProblem(written)
    if (problem) form.setFieldError('documentNumber', problem)
    else form.clearFieldError('documentNumber')
  }
  return (
    <TextInput
      label={t('document')}
      autoComplete="off"
      spellCheck={false}
      {...form.getInputProps('documentNumber')}
      onChange={event => {
        const shown = shownDocument(event.currentTarget.value)
        form.setFieldValue('documentNumber', shown)
        if (plainDocument(shown).length >= JUDGED_FROM) judge(shown)
      }}
      onBlur={event => judge(event.currentTarget.value)}
    />
  )
}
