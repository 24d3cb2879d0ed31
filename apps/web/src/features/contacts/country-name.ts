import { language } from '../../platform/text.ts'

const tags = { ptBR: 'pt-BR', en: 'en', es: 'es' }

/** The name of a country in the reader's language. */
export const countryName = (country: string) =>
  new Intl.DisplayNames([tags[language()]], { type: 'region' }).of(country) ?? country
