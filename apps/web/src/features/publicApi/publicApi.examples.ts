import { newId } from '../../platform/ids.ts'
import { callFields, type DescribedCall } from './publicApi.api.ts'

export const LANGUAGES = ['curl', 'JavaScript', 'PHP'] as const
export type ExampleLanguage = (typeof LANGUAGES)[number]

/** Sample values of unfilled fields. */
const samples: Record<string, string> = {
  number: '5511999998888',
  contactNumber: '5511999998888',
  contactName: 'Ana Souza',
  body: 'Seu pedido saiu para entrega.',
  messageId: '00000000-0000-4000-8000-000000000000',
  id: '1',
  name: 'Ana Souza',
  email: 'ana@example.com',
}

/** The example names its recipient once: by a number with its country code. */
const LEFT_OUT = ['ticketId', 'contactId', 'country']

/** An Idempotency-Key of its own: what two examples share is the same message, or a conflict. */
export const sampleKey = () => `pedido-${newId().slice(0, 8)}`

/** The call in a language, ready to be pasted; the token is a placeholder. */
export function exampleOf(
  call: DescribedCall,
  language: ExampleLanguage,
  origin: string,
  key: string,
): string {
  const { method } = call
  const fields = callFields(call)
  const sampleOf = (name: string) => (name === 'Idempotency-Key' ? key : (samples[name] ?? name))
  const url =
    origin +
    fields
      .filter(({ place }) => place === 'path')
      .reduce((shown, { name }) => shown.replace(`{${name}}`, sampleOf(name)), call.path)
  const body = fields
    .filter(({ name, place }) => place === 'body' && !LEFT_OUT.includes(name))
    .map(({ name }) => [name, sampleOf(name)] as const)
  const isForm = fields.some(({ place, required }) => place === 'file' && required)
  const headers = [
    ['Authorization', 'Bearer TOKEN'],
    ...fields.filter(({ place }) => place === 'header').map(({ name }) => [name, sampleOf(name)]),
    ...(method === 'GET' || isForm ? [] : [['Content-Type', 'application/json']]),
  ] as [string, string][]
  return writers[language]({ method, url, headers, body, isForm })
}

interface Asked {
  method: string
  url: string
  headers: [string, string][]
  body: (readonly [string, string])[]
  isForm: boolean
}

const writers: Record<ExampleLanguage, (asked: Asked) => string> = {
  curl({ method, url, headers, body, isForm }) {
    const lines = [
      `curl -X ${method} '${url}'`,
      ...headers.map(([name, value]) => `  -H '${name}: ${value}'`),
    ]
    if (isForm)
      lines.push(...body.map(([name, value]) => `  -F '${name}=${value}'`), "  -F 'medias=@foto.jpg'")
    else if (method !== 'GET') lines.push(`  -d '${JSON.stringify(Object.fromEntries(body))}'`)
    return lines.join(' \\\n')
  },
  JavaScript({ method, url, headers, body, isForm }) {
    const form = isForm
      ? [
          'const form = new FormData()',
          ...body.map(([name, value]) => `form.append('${name}', '${value}')`),
          "form.append('medias', file)",
        ]
      : []
    const sent = isForm
      ? ['  body: form,']
      : method === 'GET'
        ? []
        : [`  body: JSON.stringify(${JSON.stringify(Object.fromEntries(body))}),`]
    return [
      ...form,
      `const answer = await fetch('${url}', {`,
      `  method: '${method}',`,
      `  headers: ${JSON.stringify(Object.fromEntries(headers))},`,
      ...sent,
      '})',
      'console.log(answer.status, await answer.json())',
    ].join('\n')
  },
  PHP({ method, url, headers, body, isForm }) {
    const named = body.map(([name, value]) => `'${name}' => '${value}'`)
    const sent = isForm
      ? [`  CURLOPT_POSTFIELDS => [${[...named, "'medias' => new CURLFile('foto.jpg')"].join(', ')}],`]
      : method === 'GET'
        ? []
        : [`  CURLOPT_POSTFIELDS => json_encode([${named.join(', ')}]),`]
    return [
      `$call = curl_init('${url}');`,
      'curl_setopt_array($call, [',
      `  CURLOPT_CUSTOMREQUEST => '${method}',`,
      '  CURLOPT_RETURNTRANSFER => true,',
      `  CURLOPT_HTTPHEADER => [${headers.map(([name, value]) => `'${name}: ${value}'`).join(', ')}],`,
      ...sent,
      ']);',
      'echo curl_exec($call);',
    ].join('\n')
  },
}
