import { texts } from '../../platform/text.ts'

export const useTermsText = texts({
  title: ['Termos de uso', 'Terms of use', 'Términos de uso'],
  hint: [
    'Quem se cadastra na loja aceita a versão atual. Os administradores das outras empresas são perguntados uma vez.',
    'Whoever signs up in the store accepts the current version. Admins of the other companies are asked once.',
    'Quien se registra en la tienda acepta la versión actual. A los administradores de las otras empresas se les pregunta una vez.',
  ],
  none: ['Nenhuma versão é pedida.', 'No version is asked for.', 'No se pide ninguna versión.'],
  current: [
    'Versão {version}, publicada em {day}',
    'Version {version}, published on {day}',
    'Versión {version}, publicada el {day}',
  ],
  publish: ['Publicar versão', 'Publish a version', 'Publicar versión'],
  published: ['Versão publicada', 'Version published', 'Versión publicada'],
  withdraw: ['Deixar de pedir', 'Stop asking', 'Dejar de pedir'],
  withdrawn: [
    'Os termos não são mais pedidos',
    'The terms are not asked for any more',
    'Los términos ya no se piden',
  ],
  version: ['Versão', 'Version', 'Versión'],
  url: ['Endereço dos termos', 'Address of the terms', 'Dirección de los términos'],
  text: ['Texto dos termos', 'Text of the terms', 'Texto de los términos'],
  accepted: ['Termos aceitos', 'Accepted terms', 'Términos aceptados'],
  noneAccepted: ['Nenhuma versão foi aceita', 'No version was accepted', 'No se aceptó ninguna versión'],
  company: ['Empresa', 'Company', 'Empresa'],
  at: ['Quando', 'When', 'Cuándo'],
  by: ['Quem', 'Who', 'Quién'],
  ask: [
    'O serviço tem novos termos de uso (versão {version}). Leia e aceite em nome da empresa.',
    'The service has new terms of use (version {version}). Read and accept them for the company.',
    'El servicio tiene nuevos términos de uso (versión {version}). Léalos y acéptelos en nombre de la empresa.',
  ],
  read: ['Ler os termos', 'Read the terms', 'Leer los términos'],
  accept: ['Aceitar', 'Accept', 'Aceptar'],
  later: ['Depois', 'Later', 'Después'],
  done: ['Termos aceitos', 'Terms accepted', 'Términos aceptados'],
})
