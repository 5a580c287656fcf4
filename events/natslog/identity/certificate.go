package identity

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"time"
)

// How long a certificate is valid. Its validity begins an hour before it is made, because clocks differ.
const (
	year          = 365 * 24 * time.Hour
	authorityTime = 20 * year
	serverTime    = 10 * year
	skew          = time.Hour
)

// certify returns the end of the servers' certificate. It creates the certificate if there is none.
func certify(dir string, hosts []string, now time.Time) (until time.Time, err error) {
	file := filepath.Join(dir, "servers", "server.pem")
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		if err := makeServer(dir, hosts, now); err != nil {
			return time.Time{}, err
		}
	}
	cert, err := readCertificate(file)
	if err != nil {
		return time.Time{}, err
	}
	ca, err := readCertificate(filepath.Join(dir, "servers", "ca.pem"))
	if err != nil {
		return time.Time{}, err
	}
	roots := x509.NewCertPool()
	roots.AddCert(ca)
	for _, host := range hosts {
		if _, err := cert.Verify(x509.VerifyOptions{Roots: roots, DNSName: host, CurrentTime: now}); err != nil {
			return time.Time{}, fmt.Errorf("%s does not hold for %s: remove it to have another made: %w", file, host, err)
		}
	}
	return cert.NotAfter, nil
}

// makeServer creates a certificate for the servers, and the authority that signs it if there is none. The certificate
// is written last: if it exists, all the other files do.
func makeServer(dir string, hosts []string, now time.Time) error {
	ca, by, err := authority(filepath.Join(dir, "authority"), now)
	if err != nil {
		return err
	}
	for _, folder := range append([]string{"servers"}, Roles...) {
		if err := writePEM(filepath.Join(dir, folder, "ca.pem"), "CERTIFICATE", ca.Raw); err != nil {
			return err
		}
	}
	cert := template("NATS server", now, serverTime)
	cert.KeyUsage, cert.ExtKeyUsage = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth} // servers are clients of one another
	for _, host := range hosts {
		if ip := net.ParseIP(host); ip != nil {
			cert.IPAddresses = append(cert.IPAddresses, ip)
		} else {
			cert.DNSNames = append(cert.DNSNames, host)
		}
	}
	return sign(cert, ca, by, filepath.Join(dir, "servers", "server"))
}

// authority returns the certificate and the key that sign others. It creates them if there are none.
func authority(dir string, now time.Time) (*x509.Certificate, crypto.Signer, error) {
	if _, err := os.Stat(filepath.Join(dir, "ca.pem")); errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(filepath.Join(filepath.Dir(dir), "servers", "ca.pem")); err == nil {
			return nil, nil, fmt.Errorf("%s is kept elsewhere: bring it back to have a certificate signed that clients trust", dir)
		}
		ca := template("assay NATS authority", now, authorityTime)
		ca.IsCA, ca.BasicConstraintsValid, ca.MaxPathLenZero, ca.KeyUsage = true, true, true, x509.KeyUsageCertSign
		if err := sign(ca, ca, nil, filepath.Join(dir, "ca")); err != nil {
			return nil, nil, err
		}
	}
	ca, err := readCertificate(filepath.Join(dir, "ca.pem"))
	if err != nil {
		return nil, nil, err
	}
	key, err := readKey(filepath.Join(dir, "ca.key"))
	return ca, key, err
}

func template(name string, now time.Time, holds time.Duration) *x509.Certificate {
	return &x509.Certificate{Subject: pkix.Name{CommonName: name}, NotBefore: now.Add(-skew), NotAfter: now.Add(holds)}
}

// sign creates a key, name.key, and its certificate, name.pem. The authority's key signs it; if that is nil, it is
// self-signed.
func sign(cert, authority *x509.Certificate, by crypto.Signer, name string) error {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	if by == nil {
		by = private
	}
	key, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return err
	}
	signed, err := x509.CreateCertificate(rand.Reader, cert, authority, private.Public(), by)
	if err != nil {
		return err
	}
	if err := writePEM(name+".key", "PRIVATE KEY", key); err != nil {
		return err
	}
	return writePEM(name+".pem", "CERTIFICATE", signed)
}

func writePEM(file, kind string, der []byte) error {
	return write(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

// read returns the content of a PEM file.
func read[T any](file string, parse func(der []byte) (T, error)) (held T, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return held, err
	}
	block, _ := pem.Decode(data)
	if block == nil {
		return held, fmt.Errorf("%s is not PEM", file)
	}
	if held, err = parse(block.Bytes); err != nil {
		return held, fmt.Errorf("%s: %w", file, err)
	}
	return held, nil
}

func readCertificate(file string) (*x509.Certificate, error) {
	return read(file, x509.ParseCertificate)
}

// readKey reads a key that sign has made.
func readKey(file string) (crypto.Signer, error) {
	return read(file, func(der []byte) (crypto.Signer, error) {
		key, err := x509.ParsePKCS8PrivateKey(der)
		if err != nil {
			return nil, err
		}
		signer, ok := key.(crypto.Signer)
		if !ok {
			return nil, errors.New("this key cannot sign")
		}
		return signer, nil
	})
}
