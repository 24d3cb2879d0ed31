import { EXPORT_DAYS } from '@balcao/contract/companyExports.ts'
import type { Letter } from '../../platform/outbound/letter.ts'

/** The e-mail with the link to a package of a company's data. */
export const exportLetter = (language: Letter['language']): Letter => ({
  language,
  ...{
    ptBR: {
      subject: 'Os dados da sua empresa estão prontos',
      before: ['Olá.', 'O pacote com os dados da sua empresa, que foi pedido ao suporte, pode ser baixado:'],
      button: 'Baixar os dados',
      after: [
        `O link vale por ${EXPORT_DAYS} dias. Quem tem o link baixa o pacote sem senha: não o encaminhe.`,
        'O pacote tem cadastros, conversas e arquivos. Senhas, tokens e chaves de conexões não estão nele.',
      ],
    },
    en: {
      subject: 'The data of your company is ready',
      before: [
        'Hello.',
        'The package with the data of your company, which was requested, can be downloaded:',
      ],
      button: 'Download the data',
      after: [
        `The link is good for ${EXPORT_DAYS} days. Whoever has it downloads the package without a password: do not forward it.`,
        'The package has records, conversations and files. Passwords, tokens and keys of connections are not in it.',
      ],
    },
    es: {
      subject: 'Los datos de su empresa están listos',
      before: ['Hola.', 'El paquete con los datos de su empresa, que se solicitó, se puede descargar:'],
      button: 'Descargar los datos',
      after: [
        `El enlace vale por ${EXPORT_DAYS} días. Quien lo tiene descarga el paquete sin contraseña: no lo reenvíe.`,
        'El paquete tiene registros, conversaciones y archivos. Contraseñas, tokens y claves de conexiones no están en él.',
      ],
    },
  }[language],
})
