import { texts } from '../../platform/text.ts'

export const useCompanyExportText = texts({
  data: ['Dados da empresa', 'Data of the company', 'Datos de la empresa'],
  hint: [
    'Um pacote com tudo o que a empresa tem, para levar a outra instalação ou guardar. O link vale por {days} dias e vai por e-mail aos primeiros administradores. Senhas, tokens e chaves de conexões não estão nele.',
    'A package with everything the company has, to be taken to another installation or kept. The link is good for {days} days and is e-mailed to its first admins. Passwords, tokens and keys of connections are not in it.',
    'Un paquete con todo lo que tiene la empresa, para llevarlo a otra instalación o guardarlo. El enlace vale por {days} días y se envía por correo a sus primeros administradores. Contraseñas, tokens y claves de conexiones no están en él.',
  ],
  make: ['Exportar dados', 'Export data', 'Exportar datos'],
  again: ['Exportar de novo', 'Export again', 'Exportar de nuevo'],
  making: [
    'O pacote está sendo preparado desde {when}. Pode fechar esta tela.',
    'The package has been in preparation since {when}. You may leave this screen.',
    'El paquete se está preparando desde {when}. Puede cerrar esta pantalla.',
  ],
  failed: [
    'O pacote não pôde ser preparado. Tente de novo; o motivo está no log do servidor.',
    'The package could not be prepared. Try again; the reason is in the log of the server.',
    'No se pudo preparar el paquete. Inténtelo de nuevo; el motivo está en el registro del servidor.',
  ],
  link: [
    'Link para baixar ({size}, até {when})',
    'Link to download ({size}, until {when})',
    'Enlace para descargar ({size}, hasta {when})',
  ],
})
