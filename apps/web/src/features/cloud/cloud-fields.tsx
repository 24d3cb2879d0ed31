import { type CloudInput, CloudInput as CloudShape, type CloudView } from '@balcao/contract/cloud.ts'
import { PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useCloudText } from './cloud.text.ts'

export type CloudValues = Record<keyof CloudInput, string>
const names = ['phoneNumberId', 'businessAccountId', 'accessToken', 'appSecret', 'verifyToken'] as const

/** Initial values: a new connection gets a verify token of its own, stored secrets stay empty. */
export const cloudValues = (known: CloudView | null): CloudValues => ({
  phoneNumberId: known?.phoneNumberId ?? '',
  businessAccountId: known?.businessAccountId ?? '',
  accessToken: '',
  appSecret: '',
  verifyToken: known ? '' : crypto.randomUUID().replaceAll('-', ''),
})

/** What was filled in. */
export const cloudInput = (values: CloudValues): CloudInput =>
  Object.fromEntries(names.flatMap(name => (values[name].trim() ? [[name, values[name].trim()]] : [])))

/** What is wrong with it, by the form's field; a new connection needs all of it. */
export function cloudErrors(values: CloudValues, known: CloudView | null): Record<string, string> {
  const found = CloudShape.safeParse(cloudInput(values)).error?.issues ?? []
  const wrong = Object.fromEntries(found.map(({ path, message }) => [`cloud.${path.join('.')}`, message]))
  const missing = known ? [] : names.filter(name => !values[name].trim())
  return {
    ...Object.fromEntries(missing.map(name => [`cloud.${name}`, useCloudText.read('required')])),
    ...wrong,
  }
}

interface Props {
  known: CloudView | null
  form: { getInputProps(path: string): object }
}

/** The credentials from Meta's dashboard, each with where it is found there. */
export function CloudFields({ known, form }: Props) {
  const t = useCloudText()
  return (
    <Stack gap={12} data-cloud-fields>
      <Text size="sm" c="dimmed">
        {t('intro')}
      </Text>
      {names.map(name => {
        const secret = name !== 'phoneNumberId' && name !== 'businessAccountId'
        const shared = {
          label: t(name),
          description: t(`${name}Hint`),
          autoComplete: 'off',
          spellCheck: false,
          ...(secret && known?.secrets[name] && { placeholder: t('keeps') }),
          ...form.getInputProps(`cloud.${name}`),
        }
        return secret && name !== 'verifyToken' ? (
          <PasswordInput key={name} {...shared} autoComplete="new-password" />
        ) : (
          <TextInput key={name} {...shared} />
        )
      })}
    </Stack>
  )
}
